# Debian packages by CPack, one for each component of the installation:
#
#     libdelassus0.1    the shared libraries
#     libdelassus-dev   headers, CMake and pkg-config files (and the libraries, where they are static)
#     delassus-tools    delassus-solve, delassus-circuit
#     delassus-doc      pages, examples
#
# The preset "package" configures for them; `cpack` in its build folder writes them into the folder packages.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME delassus)
set(CPACK_PACKAGE_VENDOR Delassus)
set(CPACK_PACKAGE_CONTACT "Delassus developers <delassus@localhost>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# As dpkg-shlibdeps must find the libraries of the build, too.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
  ${PROJECT_BINARY_DIR}/numerics ${PROJECT_BINARY_DIR}/numerics/distributed ${PROJECT_BINARY_DIR}/kernel
  ${PROJECT_BINARY_DIR}/kernel/collision)

set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(about "Mechanisms with impacts, friction and joints, circuits with ideal diodes, relays and sliding\n modes: time stepping and event-driven, with the answer of every step certified.")
# The same version of the packages that stand on each other.
set(same_runtime "libdelassus${soversion} (= ${PROJECT_VERSION})")

# delassus_debian_package(component name section "one line" [DEPENDS ...] [ARCHITECTURE_INDEPENDENT])
function(delassus_debian_package component name section line)
  cmake_parse_arguments(arg "" "DEPENDS;ARCHITECTURE;SHLIBDEPS" "" ${ARGN})
  string(TOUPPER ${component} upper)
  set(prefix CPACK_DEBIAN_${upper}_PACKAGE)
  set(${prefix}_NAME ${name} PARENT_SCOPE)
  set(${prefix}_SECTION ${section} PARENT_SCOPE)
  set(${prefix}_DEPENDS "${arg_DEPENDS}" PARENT_SCOPE)
  set(${prefix}_SHLIBDEPS ${arg_SHLIBDEPS} PARENT_SCOPE)
  if(arg_ARCHITECTURE)
    set(${prefix}_ARCHITECTURE ${arg_ARCHITECTURE} PARENT_SCOPE)
  endif()
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${line}\n${about}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${line}\n${about}" PARENT_SCOPE)
  # Each Debian package carries its licence; an installation without packages does not need it four times.
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} RENAME copyright
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(CPACK_COMPONENTS_ALL dev doc)
if(BUILD_SHARED_LIBS)
  list(APPEND CPACK_COMPONENTS_ALL runtime)
  delassus_debian_package(runtime libdelassus${soversion} libs "simulation of nonsmooth dynamical systems: libraries"
    SHLIBDEPS ON)
  # Names the package for programs of other packages, and has ldconfig run.
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
endif()

# What programs are compiled with: Boost's headers, and behind static libraries everything that they are linked with.
set(dev_depends "libboost1.81-dev | libboost-dev (>= 1.81)")
if(BUILD_SHARED_LIBS)
  string(PREPEND dev_depends "${same_runtime}, ")
else()
  string(APPEND dev_depends ", libboost-serialization1.81-dev | libboost-serialization-dev (>= 1.81)"
    ", libopenblas-dev, liblapacke-dev")
  foreach(pair DELASSUS_WITH_SUITESPARSE:libsuitesparse-dev DELASSUS_WITH_HDF5:libhdf5-dev
          DELASSUS_WITH_SUNDIALS:libsundials-dev DELASSUS_WITH_QHULL:libqhull-dev
          DELASSUS_WITH_TBB:libtbb-dev DELASSUS_WITH_MPI:petsc-dev
          DELASSUS_BUILD_COLLISION:libbullet-dev)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 option)
    list(GET pair 1 package)
    if(${option})
      string(APPEND dev_depends ", ${package}")
    endif()
  endforeach()
endif()
if(DELASSUS_WITH_MPI)
  string(APPEND dev_depends ", mpi-default-dev")
endif()
delassus_debian_package(dev libdelassus-dev libdevel "simulation of nonsmooth dynamical systems: headers"
  DEPENDS "${dev_depends}" SHLIBDEPS OFF)
delassus_debian_package(doc delassus-doc doc "simulation of nonsmooth dynamical systems: documentation, examples"
  ARCHITECTURE all SHLIBDEPS OFF)
if(DELASSUS_BUILD_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL tools)
  set(tools_depends "")
  if(BUILD_SHARED_LIBS)
    set(tools_depends "${same_runtime}")
  endif()
  delassus_debian_package(tools delassus-tools science "solver of complementarity and friction problems in files"
    DEPENDS "${tools_depends}" SHLIBDEPS ON)
endif()
include(CPack)
