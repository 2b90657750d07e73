# Package configuration for find_package(Delassus).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Delassus)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/DelassusConfig.cmake.in
  ${PROJECT_BINARY_DIR}/DelassusConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/DelassusConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT DelassusTargets NAMESPACE Delassus:: DESTINATION ${package_dir})
if(DELASSUS_BUILD_COLLISION)
  install(EXPORT DelassusCollisionTargets NAMESPACE Delassus:: DESTINATION ${package_dir})
endif()
install(FILES
  ${PROJECT_BINARY_DIR}/DelassusConfig.cmake
  ${PROJECT_BINARY_DIR}/DelassusConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindLAPACKE.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindCHOLMOD.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindUMFPACK.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindHDF5C.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindSundials.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindBulletDouble.cmake
  DESTINATION ${package_dir})
