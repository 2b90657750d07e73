# What the libraries themselves need. Each dependency that can be left out has an option; where it is on and the
# dependency is missing, the configuration stops and says which option turns it off.

# delassus_find(package [version] DEBIAN "packages" [OPTION option EFFECT "what is left out"])
macro(delassus_find package)
  cmake_parse_arguments(delassus_find "" "OPTION;DEBIAN;EFFECT" "" ${ARGN})
  find_package(${package} ${delassus_find_UNPARSED_ARGUMENTS})
  if(NOT ${package}_FOUND)
    set(delassus_find_way_out "")
    if(delassus_find_OPTION)
      set(delassus_find_way_out ", or configure with -D ${delassus_find_OPTION}=OFF: ${delassus_find_EFFECT}")
    endif()
    message(FATAL_ERROR "Delassus: ${package} ${delassus_find_UNPARSED_ARGUMENTS} was not found. Install it (Debian, "
                        "Ubuntu: ${delassus_find_DEBIAN})${delassus_find_way_out}.")
  endif()
endmacro()

option(DELASSUS_WITH_SUITESPARSE "Sparse factorisations by SuiteSparse; dense ones by LAPACK if OFF" ON)
option(DELASSUS_WITH_HDF5 "Read and write HDF5: problems of FCLIB, recordings" ON)
option(DELASSUS_WITH_SUNDIALS "Event-driven simulation, with the integrators of SUNDIALS" ON)
option(DELASSUS_WITH_QHULL "Convex hulls of points, by Qhull" ON)
option(DELASSUS_WITH_TBB "Loops over many bodies and contacts on several threads, by oneTBB" ON)
option(DELASSUS_WITH_MPI "Build Delassus::distributed: problems, grains and studies over ranks (needs MPI and PETSc)" OFF)
option(DELASSUS_BUILD_COLLISION "Build Delassus::collision (needs Bullet in double precision)" ON)

# Boost's own package configuration, where CMake has given up its module.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()
delassus_find(Boost 1.81 COMPONENTS serialization DEBIAN
  "libboost1.81-dev libboost-serialization1.81-dev, or libboost-dev libboost-serialization-dev")
delassus_find(LAPACKE DEBIAN "libopenblas-dev liblapacke-dev")
if(DELASSUS_WITH_SUITESPARSE)
  foreach(package CHOLMOD UMFPACK)
    delassus_find(${package} DEBIAN libsuitesparse-dev OPTION DELASSUS_WITH_SUITESPARSE
      EFFECT "sparse matrices are factored as dense ones, which is slow for large models")
  endforeach()
endif()
if(DELASSUS_WITH_HDF5)
  delassus_find(HDF5C DEBIAN libhdf5-dev OPTION DELASSUS_WITH_HDF5
    EFFECT "problems of FCLIB are not read or written, runs are not recorded to HDF5")
endif()
if(DELASSUS_WITH_SUNDIALS)
  delassus_find(Sundials 6.0...<8 DEBIAN libsundials-dev OPTION DELASSUS_WITH_SUNDIALS
    EFFECT "there is no event-driven simulation")
endif()
if(DELASSUS_WITH_QHULL)
  delassus_find(QhullR DEBIAN libqhull-dev OPTION DELASSUS_WITH_QHULL EFFECT "there are no convex hulls of points")
endif()
if(DELASSUS_WITH_TBB)
  delassus_find(TBB DEBIAN libtbb-dev OPTION DELASSUS_WITH_TBB EFFECT "all work is done on one thread")
endif()
if(DELASSUS_WITH_MPI)
  delassus_find(MPI COMPONENTS CXX DEBIAN mpi-default-dev OPTION DELASSUS_WITH_MPI EFFECT "there is no Delassus::distributed")
  delassus_find(PETSc 3.18 DEBIAN petsc-dev OPTION DELASSUS_WITH_MPI EFFECT "there is no Delassus::distributed")
endif()
if(DELASSUS_BUILD_COLLISION)
  delassus_find(BulletDouble DEBIAN libbullet-dev OPTION DELASSUS_BUILD_COLLISION
    EFFECT "there is no collision detection among many bodies")
endif()

# The status lines. Each option appears once, with what it gives or takes.
function(delassus_report_options)
  message(STATUS "Delassus ${PROJECT_VERSION}:")
  foreach(option DELASSUS_WITH_SUITESPARSE DELASSUS_WITH_HDF5 DELASSUS_WITH_SUNDIALS DELASSUS_WITH_QHULL DELASSUS_WITH_TBB
          DELASSUS_WITH_MPI DELASSUS_BUILD_COLLISION DELASSUS_BUILD_TOOLS DELASSUS_BUILD_EXAMPLES DELASSUS_BUILD_TESTS
          DELASSUS_BUILD_BENCHMARKS BUILD_SHARED_LIBS)
    set(value OFF)
    if(${option})
      set(value ON)
    endif()
    get_property(help CACHE ${option} PROPERTY HELPSTRING)
    message(STATUS "  ${option}=${value}  (${help})")
  endforeach()
endfunction()
