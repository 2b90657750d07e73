# Finds ARKODE and CVODE of SUNDIALS, with vectors in one piece and dense matrices, and makes the target
# Delassus::Sundials. (SUNDIALS' own configuration asks for everything that it was built with.)
find_path(SUNDIALS_INCLUDE_DIR arkode/arkode_erkstep.h)
set(sundials_libraries)
foreach(part arkode cvode nvecserial sunmatrixdense sunlinsoldense sunnonlinsolnewton)
  find_library(SUNDIALS_${part}_LIBRARY sundials_${part})
  mark_as_advanced(SUNDIALS_${part}_LIBRARY)
  list(APPEND sundials_libraries SUNDIALS_${part}_LIBRARY)
endforeach()
find_library(SUNDIALS_CORE_LIBRARY sundials_generic)
if(SUNDIALS_INCLUDE_DIR)
  file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h Sundials_VERSION REGEX "define SUNDIALS_VERSION ")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" Sundials_VERSION "${Sundials_VERSION}")
endif()

# Contexts came with version 6; the handlers of messages that are used here went with version 7.
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Sundials REQUIRED_VARS ${sundials_libraries} SUNDIALS_CORE_LIBRARY
                                  SUNDIALS_INCLUDE_DIR VERSION_VAR Sundials_VERSION HANDLE_VERSION_RANGE)
mark_as_advanced(SUNDIALS_INCLUDE_DIR SUNDIALS_CORE_LIBRARY)

if(Sundials_FOUND AND NOT TARGET Delassus::Sundials)
  add_library(Delassus::Sundials INTERFACE IMPORTED)
  target_include_directories(Delassus::Sundials SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
  foreach(library ${sundials_libraries})
    target_link_libraries(Delassus::Sundials INTERFACE ${${library}})
  endforeach()
  target_link_libraries(Delassus::Sundials INTERFACE ${SUNDIALS_CORE_LIBRARY})
endif()
