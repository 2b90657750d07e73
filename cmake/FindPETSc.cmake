# Finds PETSc with real numbers and makes the target Delassus::PETSc. Set PETSC_DIR (and PETSC_ARCH) to an installation of
# your own, as PETSc itself has it.
file(GLOB petsc_places /usr/lib/petscdir/petsc*/*-real /usr/lib/petsc)
find_path(PETSC_INCLUDE_DIR petsc.h HINTS ENV PETSC_DIR PATHS ${petsc_places} PATH_SUFFIXES include)
find_path(PETSC_CONF_INCLUDE_DIR petscconf.h HINTS $ENV{PETSC_DIR}/$ENV{PETSC_ARCH} ${PETSC_INCLUDE_DIR} PATHS ${petsc_places}
  PATH_SUFFIXES include)
find_library(PETSC_LIBRARY NAMES petsc_real petsc HINTS $ENV{PETSC_DIR}/$ENV{PETSC_ARCH}/lib ${PETSC_INCLUDE_DIR}/../lib)

if(PETSC_INCLUDE_DIR AND EXISTS ${PETSC_INCLUDE_DIR}/petscversion.h)
  foreach(part MAJOR MINOR SUBMINOR)
    file(STRINGS ${PETSC_INCLUDE_DIR}/petscversion.h line REGEX "define PETSC_VERSION_${part} ")
    string(REGEX MATCH "[0-9]+" petsc_${part} "${line}")
  endforeach()
  set(PETSc_VERSION ${petsc_MAJOR}.${petsc_MINOR}.${petsc_SUBMINOR})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PETSc REQUIRED_VARS PETSC_LIBRARY PETSC_INCLUDE_DIR PETSC_CONF_INCLUDE_DIR
  VERSION_VAR PETSc_VERSION)
mark_as_advanced(PETSC_INCLUDE_DIR PETSC_CONF_INCLUDE_DIR PETSC_LIBRARY)

if(PETSc_FOUND AND NOT TARGET Delassus::PETSc)
  add_library(Delassus::PETSc INTERFACE IMPORTED)
  target_include_directories(Delassus::PETSc INTERFACE ${PETSC_INCLUDE_DIR} ${PETSC_CONF_INCLUDE_DIR})
  target_link_libraries(Delassus::PETSc INTERFACE ${PETSC_LIBRARY})
endif()
