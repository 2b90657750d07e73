# Finds CHOLMOD of SuiteSparse (whose older releases bring no CMake files) and makes the target Delassus::CHOLMOD.
find_path(CHOLMOD_INCLUDE_DIR suitesparse/cholmod.h)
find_library(CHOLMOD_LIBRARY cholmod)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CHOLMOD REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_INCLUDE_DIR)
mark_as_advanced(CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY)

if(CHOLMOD_FOUND AND NOT TARGET Delassus::CHOLMOD)
  add_library(Delassus::CHOLMOD INTERFACE IMPORTED)
  target_include_directories(Delassus::CHOLMOD INTERFACE ${CHOLMOD_INCLUDE_DIR})
  target_link_libraries(Delassus::CHOLMOD INTERFACE ${CHOLMOD_LIBRARY})
endif()
