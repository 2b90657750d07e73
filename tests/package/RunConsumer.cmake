# Installs the build tree BUILD_DIR into a fresh prefix and configures, builds and runs the consumer against it.
set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGV}")
  endif()
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS}
    -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)
if(COLLISION)
  run(${WORK_DIR}/build/collider)
endif()

# The program is there where the tools are built.
if(EXISTS ${prefix}/bin/delassus-solve)
  file(WRITE ${WORK_DIR}/lcp.dat "2 0 2 2 2 2 2 1 1 2 -5 -6")
  run(${prefix}/bin/delassus-solve --list)
  run(${prefix}/bin/delassus-solve --json --tolerance 1e-10 ${WORK_DIR}/lcp.dat)
endif()
