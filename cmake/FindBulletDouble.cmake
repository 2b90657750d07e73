# Finds Bullet's collision library in double precision and makes the target Delassus::Bullet. Debian and Ubuntu have it
# beside that in single precision, with a name of its own. Of a Bullet that was built with USE_DOUBLE_PRECISION and has the
# plain names, set BULLET_COLLISION_LIBRARY and BULLET_MATH_LIBRARY.
find_path(BULLET_INCLUDE_DIR BulletCollision/BroadphaseCollision/btDbvtBroadphase.h PATH_SUFFIXES bullet)
find_library(BULLET_COLLISION_LIBRARY BulletCollision-float64)
find_library(BULLET_MATH_LIBRARY LinearMath-float64)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BulletDouble
  REQUIRED_VARS BULLET_COLLISION_LIBRARY BULLET_MATH_LIBRARY BULLET_INCLUDE_DIR)
mark_as_advanced(BULLET_INCLUDE_DIR BULLET_COLLISION_LIBRARY BULLET_MATH_LIBRARY)

if(BulletDouble_FOUND AND NOT TARGET Delassus::Bullet)
  add_library(Delassus::Bullet INTERFACE IMPORTED)
  target_include_directories(Delassus::Bullet SYSTEM INTERFACE ${BULLET_INCLUDE_DIR})
  target_compile_definitions(Delassus::Bullet INTERFACE BT_USE_DOUBLE_PRECISION)
  target_link_libraries(Delassus::Bullet INTERFACE ${BULLET_COLLISION_LIBRARY} ${BULLET_MATH_LIBRARY})
endif()
