# silo_mpi: a rank is killed in mid-run, the others end; the run goes on from its checkpoint on another number of ranks;
# a damaged checkpoint is told once.
include(${CMAKE_CURRENT_LIST_DIR}/RunOverRanks.cmake)
file(REMOVE_RECURSE ${OUTPUT})
set(arguments --spheres 200 --diameter 10 --end 0.8 --checkpoint-every 20 --output ${OUTPUT}/run --vtk ${OUTPUT}/vtk
  --vtk-interval 0.2)
if(RECORDS)
  list(APPEND arguments --record ${OUTPUT}/run.h5)
endif()
kill_a_rank("${PROGRAM};${arguments}"
  "while kill -0 $job 2>/dev/null && ! test -e ${OUTPUT}/run/silo.checkpoint; do sleep 0.02; done"
  "silo_mpi.*--output ${OUTPUT}/run")

execute_process(COMMAND ${MPIEXEC} -n 2 ${PROGRAM} ${arguments} --resume
  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE errors)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "it did not go on (${result}): ${errors}")
endif()
if(NOT said MATCHES "([0-9]+) steps on 2 ranks.*each certified to 0.001" OR CMAKE_MATCH_1 GREATER 140)
  message(FATAL_ERROR "expected at most 140 further steps, all certified, got: ${said}")
endif()
# At rest, the wall carries a part: the floor has neither nothing nor twice the weight.
if(NOT said MATCHES "The floor carries ([0-9]+)" OR CMAKE_MATCH_1 LESS 50 OR CMAKE_MATCH_1 GREATER 200)
  message(FATAL_ERROR "unexpected load of the floor: ${said}")
endif()
foreach(frame 40 80 120 160)
  string(LENGTH ${frame} length)
  if(length EQUAL 2)
    set(frame 0${frame})
  endif()
  if(NOT EXISTS ${OUTPUT}/vtk/frames/grains_000${frame}.pvtp)
    message(FATAL_ERROR "there is no frame ${frame}")
  endif()
endforeach()
file(STRINGS ${OUTPUT}/vtk/grains.pvd frames REGEX "<DataSet")
list(LENGTH frames count)
if(NOT count EQUAL 4)
  message(FATAL_ERROR "expected a list of 4 frames, got: ${frames}")
endif()

# The recording has all steps, whatever ranks they are of, and the state of rest.
if(PYTHON AND RECORDS)
  execute_process(COMMAND ${PYTHON} -c "
import h5py
steps = h5py.File('${OUTPUT}/run.h5')['steps']
assert len(steps) == 160, len(steps)
assert all(steps[name]['q'].shape == (200, 7) for name in steps)
last = steps['000160']
assert abs(last.attrs['time'] - 0.8) < 1e-12, last.attrs['time']
assert last['q'].shape == (200, 7) and last['v'].shape == (200, 6), last['q'].shape
assert min(last['q'][:, 2]) > 0.01, min(last['q'][:, 2])
# Most grains rest; the last may still roll, and a small one spins fast.
speeds = (last['v'][:, :3]**2).sum(axis=1)**0.5
assert speeds.mean() < 0.1, speeds.mean()
print('the recording is complete')" RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE errors)
  message(STATUS "${said}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${errors}")
  endif()
else()
  message(STATUS "h5py or parallel HDF5 is absent: no recording is read")
endif()

file(WRITE ${OUTPUT}/run/silo.checkpoint "this is no checkpoint")
expect_one_refusal("silo.checkpoint'" ${PROGRAM} ${arguments} --resume)
