# Package configuration for find_package(Delassus), with a set of targets for each component, and pkg-config files.
include(CMakePackageConfigHelpers)
include(DelassusPkgConfig)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Delassus)

set(components numerics kernel)
# What programs need: headers of Boost, and behind static libraries all that they are linked with.
set(delassus_numerics_packages "\"Boost 1.81\"")
set(delassus_kernel_packages "\"Boost 1.81\"")
set(delassus_collision_packages)
set(modules)
if(NOT BUILD_SHARED_LIBS)
  list(APPEND modules LAPACKE)
  if(DELASSUS_WITH_SUITESPARSE)
    list(APPEND modules CHOLMOD UMFPACK)
  endif()
  if(DELASSUS_WITH_HDF5)
    list(APPEND modules HDF5C)
  endif()
  string(APPEND delassus_numerics_packages " ${modules}")
  string(APPEND delassus_kernel_packages " \"Boost 1.81 COMPONENTS serialization\"")
  if(DELASSUS_WITH_SUNDIALS)
    list(APPEND modules Sundials)
    string(APPEND delassus_kernel_packages " \"Sundials 6.0...<8\"")
  endif()
endif()
if(DELASSUS_BUILD_COLLISION)
  list(APPEND components collision)
  if(NOT BUILD_SHARED_LIBS)
    list(APPEND modules BulletDouble)
    set(delassus_collision_packages BulletDouble)
  endif()
endif()
list(TRANSFORM modules PREPEND ${PROJECT_SOURCE_DIR}/cmake/Find)
list(TRANSFORM modules APPEND .cmake)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/DelassusConfig.cmake.in
  ${PROJECT_BINARY_DIR}/DelassusConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/DelassusConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/DelassusConfig.cmake ${PROJECT_BINARY_DIR}/DelassusConfigVersion.cmake ${modules}
  DESTINATION ${package_dir} COMPONENT dev)
foreach(component IN LISTS components)
  install(EXPORT Delassus_${component} NAMESPACE Delassus:: DESTINATION ${package_dir} COMPONENT dev)
  delassus_pkgconfig(${component})
endforeach()

# The pages, their pictures and the examples' sources. The examples build against an installed Delassus as they lie there.
set(doc_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/delassus)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${doc_dir} COMPONENT doc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${doc_dir} COMPONENT doc
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${doc_dir} COMPONENT doc
  PATTERN "results" EXCLUDE)
if(PROJECT_IS_TOP_LEVEL)
  include(DelassusDebian)
endif()
