# Installs the build tree BUILD_DIR into a fresh prefix, and configures, builds and runs the consumer against it: by
# find_package, and a program of it by pkg-config alone.
set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGV}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})

# What installed headers include is installed.
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/delassus/*.hpp)
list(LENGTH headers count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} headers were installed")
endif()
foreach(header IN LISTS headers)
  file(STRINGS ${prefix}/include/${header} includes REGEX "^#include <delassus/")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^#include <(.*)>.*" "\\1" included "${include}")
    if(NOT EXISTS ${prefix}/include/${included})
      message(FATAL_ERROR "${header} includes ${included}, which is not installed")
    endif()
  endforeach()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
    # Whether it builds and runs, not how fast.
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG"
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS}
    -DCMAKE_PREFIX_PATH=${prefix} -DCOLLISION=${COLLISION} -DDISTRIBUTED=${DISTRIBUTED})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/numerics_only/solver)
run(${WORK_DIR}/build/consumer)
set(top delassus-numerics)
set(program ${SOURCE_DIR}/numerics_only/solver.cpp)
if(COLLISION)
  run(${WORK_DIR}/build/collider)
  # It stands on all the others.
  set(top delassus-collision)
  set(program ${SOURCE_DIR}/collider.cpp)
endif()
if(DISTRIBUTED)
  # On one rank; mpirun belongs to the tests of the ranks.
  run(${WORK_DIR}/build/ranks)
endif()

# By pkg-config.
find_program(PKG_CONFIG NAMES pkgconf pkg-config)
if(PKG_CONFIG)
  file(GLOB_RECURSE file ${prefix}/delassus-kernel.pc)
  get_filename_component(folder ${file} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  run(${PKG_CONFIG} --exists --print-errors delassus-kernel)
  separate_arguments(own UNIX_COMMAND "${CXX_FLAGS}")
  get_filename_component(libraries ${folder} DIRECTORY)
  function(run_by_pkg_config package program)
    execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${package} OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    run(${CXX_COMPILER} -std=c++20 ${own} ${program} -o ${WORK_DIR}/by_pkg_config ${flags} -Wl,-rpath,${libraries})
    run(${WORK_DIR}/by_pkg_config)
  endfunction()
  run_by_pkg_config(${top} ${program})
  if(DISTRIBUTED)
    run_by_pkg_config(delassus-distributed ${SOURCE_DIR}/ranks.cpp)
  endif()
endif()

# The program is there where the tools are built.
if(EXISTS ${prefix}/bin/delassus-solve)
  file(WRITE ${WORK_DIR}/lcp.dat "2 0 2 2 2 2 2 1 1 2 -5 -6")
  run(${prefix}/bin/delassus-solve --list)
  run(${prefix}/bin/delassus-solve --json --tolerance 1e-10 ${WORK_DIR}/lcp.dat)
endif()
