# cam_bifurcation over ranks: the tables of threads, and those of a run of which one rank was killed and that was begun
# again on another number of ranks.
include(${CMAKE_CURRENT_LIST_DIR}/RunOverRanks.cmake)
file(REMOVE_RECURSE ${OUTPUT})
set(arguments --from 600 --to 700 --rpm-step 1 --transient 100 --turns 60)
execute_process(COMMAND ${PROGRAM} ${arguments} --output ${OUTPUT}/threads RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the run on threads failed")
endif()

kill_a_rank("${PROGRAM};${arguments};--output;${OUTPUT}/killed" "sleep 0.7"
  "cam_bifurcation.*--output ${OUTPUT}/killed")

execute_process(COMMAND ${MPIEXEC} -n 2 ${PROGRAM} ${arguments} --output ${OUTPUT}/killed
  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE errors)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "it did not go on (${result}): ${errors}")
endif()
string(REGEX MATCHALL "speeds were there already" found "${said}")
list(LENGTH found count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "expected one rank to tell, got: ${said}")
endif()
message(STATUS "${said}")
foreach(table impacts.csv stroboscope.csv parameters.txt)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${OUTPUT}/threads/${table} ${OUTPUT}/killed/${table}
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${table} differs from that of threads")
  endif()
endforeach()

# An error of all is told once; one of a rank ends all.
expect_one_refusal("holds runs of other parameters" ${PROGRAM} ${arguments} --restitution 0.7
  --output ${OUTPUT}/killed)
