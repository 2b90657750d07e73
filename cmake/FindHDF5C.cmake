# Finds the serial C library of HDF5 and makes the target Delassus::HDF5. CMake's own module works only in projects that
# have enabled the language C, which those that use Delassus need not.
find_path(HDF5C_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
# The library that belongs to the header: where several variants are installed, the serial one has its own name or folder.
if(HDF5C_INCLUDE_DIR MATCHES "hdf5/serial/?$")
  find_library(HDF5C_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
else()
  find_library(HDF5C_LIBRARY NAMES hdf5 HINTS ${HDF5C_INCLUDE_DIR}/../lib)
endif()

# The header of a parallel variant asks for MPI. What is used is told by the header of its configuration.
set(HDF5C_SERIAL_INCLUDE_DIR ${HDF5C_INCLUDE_DIR})
set(hdf5c_reason)
file(GLOB hdf5c_configurations ${HDF5C_INCLUDE_DIR}/H5pubconf*.h)
foreach(configuration IN LISTS hdf5c_configurations)
  file(STRINGS ${configuration} hdf5c_parallel REGEX "^#[ \t]*define[ \t]+H5_HAVE_PARALLEL[ \t]+1")
  if(hdf5c_parallel)
    set(HDF5C_SERIAL_INCLUDE_DIR HDF5C_SERIAL_INCLUDE_DIR-NOTFOUND)
    set(hdf5c_reason "${HDF5C_INCLUDE_DIR}/hdf5.h is of a parallel HDF5 (MPI): expected a serial one. Set HDF5C_INCLUDE_DIR and HDF5C_LIBRARY.")
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5C REQUIRED_VARS HDF5C_LIBRARY HDF5C_INCLUDE_DIR HDF5C_SERIAL_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "${hdf5c_reason}")
mark_as_advanced(HDF5C_INCLUDE_DIR HDF5C_LIBRARY)

if(HDF5C_FOUND AND NOT TARGET Delassus::HDF5)
  add_library(Delassus::HDF5 INTERFACE IMPORTED)
  target_include_directories(Delassus::HDF5 INTERFACE ${HDF5C_INCLUDE_DIR})
  target_link_libraries(Delassus::HDF5 INTERFACE ${HDF5C_LIBRARY})
endif()
