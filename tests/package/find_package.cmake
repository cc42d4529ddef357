# Where others are to install is no matter of this test.
unset(ENV{DESTDIR})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${STAGE} ${CONSUMER_BUILD})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${STAGE})
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${CONSUMER_BUILD} -G Ninja -D CMAKE_PREFIX_PATH=${STAGE}
    -D CMAKE_BUILD_TYPE=${BUILD_TYPE})
run(${CMAKE_COMMAND} --build ${CONSUMER_BUILD})
run(${CONSUMER_BUILD}/consumer)
