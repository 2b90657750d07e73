# Settings that all targets of the build share.

# The public include <delassus/kernel/...> works in the build tree through links.
set(DELASSUS_INCLUDE_LINKS ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${DELASSUS_INCLUDE_LINKS}/delassus)
foreach(room kernel numerics)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${room} ${DELASSUS_INCLUDE_LINKS}/delassus/${room} SYMBOLIC)
endforeach()
foreach(header delassus.hpp Eigen.hpp)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/kernel/${header} ${DELASSUS_INCLUDE_LINKS}/delassus/${header} SYMBOLIC)
endforeach()

# What this build is, for programs: <delassus/Config.hpp>.
foreach(name hdf5 mpi qhull sundials suitesparse tbb)
  string(TOUPPER DELASSUS_WITH_${name} option)
  set(delassus_with_${name} false)
  if(${option})
    set(delassus_with_${name} true)
  endif()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/Config.hpp.in ${DELASSUS_INCLUDE_LINKS}/delassus/Config.hpp @ONLY)
install(FILES ${DELASSUS_INCLUDE_LINKS}/delassus/Config.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/delassus
  COMPONENT dev)

# Where installed programs and libraries look for the shared ones: beside themselves, so that the tree can be moved. In
# /usr the loader knows the way.
set(DELASSUS_LIBRARY_RPATH)
set(DELASSUS_PROGRAM_RPATH)
if(BUILD_SHARED_LIBS AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(DELASSUS_LIBRARY_RPATH $ORIGIN)
  if(APPLE)
    set(DELASSUS_LIBRARY_RPATH @loader_path)
  endif()
  file(RELATIVE_PATH to_libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set(DELASSUS_PROGRAM_RPATH ${DELASSUS_LIBRARY_RPATH}/${to_libraries})
endif()

function(delassus_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  # GCC 12 and 13 see overflows in inlined std::string and std::vector code that are not there.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-restrict>)
  # Our own indices are checked in a debug build only, those of a user's program always.
  target_compile_definitions(${target} PRIVATE
    $<$<NOT:$<CONFIG:Debug>>:BOOST_UBLAS_NDEBUG;DELASSUS_UNCHECKED_INDICES>)
  if(DELASSUS_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(DELASSUS_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-sanitize-recover=all
                                            -fno-omit-frame-pointer)
    # With its instrumentation GCC sees uninitialised reads in Boost.Graph that are not there.
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized;-Wno-maybe-uninitialized>)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
    target_compile_definitions(${target} PRIVATE DELASSUS_SANITIZED)
  endif()
  if(DELASSUS_COVERAGE)
    # Counters that several threads add to at once come out negative otherwise, which gcovr refuses.
    target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()

# For the targets of a folder of test programs, unless the user has named a linker: linking them takes gold a third of the
# time that it takes the default one.
macro(delassus_link_quickly)
  if(NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld" AND NOT CMAKE_LINKER_TYPE AND NOT DELASSUS_SANITIZE)
    include(CheckLinkerFlag)
    check_linker_flag(CXX -fuse-ld=gold DELASSUS_HAS_GOLD)
    if(DELASSUS_HAS_GOLD)
      add_link_options(-fuse-ld=gold)
    endif()
  endif()
endmacro()

# For programs whose work is done in the libraries: a release of them needs half the time to compile, and runs as fast;
# with sanitizers, where AddressSanitizer alone looks at the programs and nothing optimises them, less than a third. With a
# level of optimisation beside -O1: delassus_compile_quickly(target -O0).
function(delassus_compile_quickly target)
  list(APPEND ARGN -O1)
  list(GET ARGN 0 level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  if(DELASSUS_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined $<$<CONFIG:Debug>:-O0>)
  endif()
  if(DELASSUS_COVERAGE)
    target_compile_options(${target} PRIVATE -fno-profile-arcs -fno-test-coverage)
  endif()
endfunction()

# Joined sources are large: GCC collects no garbage below 2 GB.
function(delassus_compile_large target)
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=2000000>")
endfunction()

# With DELASSUS_UNITY_BUILD each folder of a library is compiled as one source, in a third of the time: what a file keeps
# in an anonymous namespace has a name of its own in its folder.
function(delassus_unite_folders target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  foreach(source ${sources})
    get_filename_component(source ${source} ABSOLUTE BASE_DIR ${base})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" folder "${folder}")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "folder_${folder}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${DELASSUS_UNITY_BUILD} UNITY_BUILD_MODE GROUP)
  if(DELASSUS_UNITY_BUILD)
    # GCC takes the sources in it for headers; Clang warns of shadowing where two of a folder declare the same alias.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
                                             $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-shadow>)
    delassus_compile_large(${target})
  endif()
endfunction()

# With DELASSUS_JOIN_TESTS the tests of a program (*Test.cpp) are compiled 24 files at a time, in less than half of the time:
# delassus_join_tests(variable program sources...) sets the variable to the sources that the program is made of.
function(delassus_join_tests variable program)
  set(sources ${ARGN})
  if(NOT DELASSUS_JOIN_TESTS)
    set(${variable} ${sources} PARENT_SCOPE)
    return()
  endif()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "Test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "Test\\.cpp$")
  list(TRANSFORM tests PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(script ${PROJECT_SOURCE_DIR}/cmake/JoinSources.cmake)
  set(number 0)
  while(tests)
    list(SUBLIST tests 0 24 group)
    list(REMOVE_ITEM tests ${group})
    list(JOIN group "," names)
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/joined/${program}.${number}.cpp)
    add_custom_command(OUTPUT ${joined} COMMAND ${CMAKE_COMMAND} -D OUTPUT=${joined} -D SOURCES=${names} -P ${script}
      DEPENDS ${group} ${script} VERBATIM)
    list(APPEND sources ${joined})
    math(EXPR number "${number} + 1")
  endwhile()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# A room of the house, with the name of its folder; rooms within (kernel/collision) that are libraries of their own bring
# their headers themselves. Each is a component of the package, with package targets of its own.
function(delassus_library target room)
  delassus_options(${target})
  delassus_unite_folders(${target})
  get_filename_component(name ${room} NAME)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${DELASSUS_INCLUDE_LINKS}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <cmath> <functional> <memory> <string> <vector>
    <delassus/numerics/algebra/Ublas.hpp>)
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    POSITION_INDEPENDENT_CODE ON
    # Shared and static libraries are compiled alike, so that a compiler cache serves both.
    DEFINE_SYMBOL ""
    INSTALL_RPATH "${DELASSUS_LIBRARY_RPATH}")
  install(TARGETS ${target} EXPORT Delassus_${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
  set(rooms_within)
  if(room MATCHES "^(kernel|numerics)$")
    set(rooms_within PATTERN "collision" EXCLUDE PATTERN "distributed" EXCLUDE)
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room}/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/delassus/${room} COMPONENT dev
    FILES_MATCHING PATTERN "*.hpp"
    PATTERN "delassus.hpp" EXCLUDE PATTERN "Eigen.hpp" EXCLUDE PATTERN "Hdf5*.hpp" EXCLUDE PATTERN "Sundials*.hpp" EXCLUDE
    PATTERN "ElementaryController.hpp" EXCLUDE
    PATTERN "RungeKuttaSolver.hpp" EXCLUDE PATTERN "BdfSolver.hpp" EXCLUDE PATTERN "CheckpointArchive.hpp" EXCLUDE
    PATTERN "CheckpointFile.hpp" EXCLUDE PATTERN "CheckpointModel.hpp" EXCLUDE PATTERN "tools" EXCLUDE
    PATTERN "dense" EXCLUDE PATTERN "Petsc*.hpp" EXCLUDE ${rooms_within})
endfunction()
