# Finds the reentrant library of Qhull and makes the target Delassus::Qhull.
find_path(QHULL_INCLUDE_DIR libqhull_r/libqhull_r.h)
find_library(QHULL_LIBRARY qhull_r)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(QhullR REQUIRED_VARS QHULL_LIBRARY QHULL_INCLUDE_DIR)
mark_as_advanced(QHULL_INCLUDE_DIR QHULL_LIBRARY)

if(QhullR_FOUND AND NOT TARGET Delassus::Qhull)
  add_library(Delassus::Qhull INTERFACE IMPORTED)
  target_include_directories(Delassus::Qhull SYSTEM INTERFACE ${QHULL_INCLUDE_DIR})
  target_link_libraries(Delassus::Qhull INTERFACE ${QHULL_LIBRARY})
endif()
