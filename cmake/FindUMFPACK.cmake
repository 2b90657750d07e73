# Finds UMFPACK of SuiteSparse (whose older releases bring no CMake files) and makes the target Delassus::UMFPACK.
find_path(UMFPACK_INCLUDE_DIR suitesparse/umfpack.h)
find_library(UMFPACK_LIBRARY umfpack)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(UMFPACK REQUIRED_VARS UMFPACK_LIBRARY UMFPACK_INCLUDE_DIR)
mark_as_advanced(UMFPACK_INCLUDE_DIR UMFPACK_LIBRARY)

if(UMFPACK_FOUND AND NOT TARGET Delassus::UMFPACK)
  add_library(Delassus::UMFPACK INTERFACE IMPORTED)
  target_include_directories(Delassus::UMFPACK INTERFACE ${UMFPACK_INCLUDE_DIR})
  target_link_libraries(Delassus::UMFPACK INTERFACE ${UMFPACK_LIBRARY})
endif()
