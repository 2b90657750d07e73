# Finds LAPACKE and CBLAS (OpenBLAS, or the reference libraries) and makes the target Delassus::LAPACKE.
find_path(LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES openblas lapacke)
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas openblas-pthread openblas-serial openblas-openmp)
find_library(LAPACKE_LIBRARY lapacke)
find_library(CBLAS_LIBRARY NAMES openblas cblas blas)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LAPACKE
  REQUIRED_VARS LAPACKE_LIBRARY CBLAS_LIBRARY LAPACKE_INCLUDE_DIR CBLAS_INCLUDE_DIR)
mark_as_advanced(LAPACKE_INCLUDE_DIR CBLAS_INCLUDE_DIR LAPACKE_LIBRARY CBLAS_LIBRARY)

if(LAPACKE_FOUND AND NOT TARGET Delassus::LAPACKE)
  add_library(Delassus::LAPACKE INTERFACE IMPORTED)
  target_include_directories(Delassus::LAPACKE INTERFACE ${LAPACKE_INCLUDE_DIR} ${CBLAS_INCLUDE_DIR})
  target_link_libraries(Delassus::LAPACKE INTERFACE ${LAPACKE_LIBRARY} ${CBLAS_LIBRARY})
endif()
