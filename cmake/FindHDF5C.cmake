# Finds the serial C library of HDF5 and makes the target Delassus::HDF5. CMake's own module works only in projects that
# have enabled the language C, which those that use Delassus need not.
find_path(HDF5C_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5C_LIBRARY NAMES hdf5_serial hdf5)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5C REQUIRED_VARS HDF5C_LIBRARY HDF5C_INCLUDE_DIR)
mark_as_advanced(HDF5C_INCLUDE_DIR HDF5C_LIBRARY)

if(HDF5C_FOUND AND NOT TARGET Delassus::HDF5)
  add_library(Delassus::HDF5 INTERFACE IMPORTED)
  target_include_directories(Delassus::HDF5 INTERFACE ${HDF5C_INCLUDE_DIR})
  target_link_libraries(Delassus::HDF5 INTERFACE ${HDF5C_LIBRARY})
endif()
