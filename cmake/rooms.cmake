# One function per kind of target, so that every room, program and test is compiled alike.

function(tain_setup target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                           -Wno-sign-conversion -ffp-contract=off)
  if(TAIN_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(TAIN_CHECKED)
    target_compile_definitions(${target} PRIVATE TAIN_CHECKED)
  endif()
  if(TAIN_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TAIN_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${TAIN_SANITIZE})
  endif()
endfunction()

# tain_room(name SOURCES a.cpp ... [LINK private libraries ...])
# Adds the sources of one room to the library `tain_sampling`.
function(tain_room room)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(tain_room_${room} OBJECT ${ARG_SOURCES})
  tain_setup(tain_room_${room})
  target_include_directories(tain_room_${room} PUBLIC ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(tain_room_${room} PRIVATE fmt::fmt ${ARG_LINK})
  target_sources(tain_sampling PRIVATE $<TARGET_OBJECTS:tain_room_${room}>)
  target_link_libraries(tain_sampling PRIVATE ${ARG_LINK})
endfunction()

# tain_test(name LABEL unit|property|stat|golden|slow SOURCES a_test.cpp ... [LINK ...])
function(tain_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINK" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  tain_setup(test_${name})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(test_${name} PRIVATE TAIN_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(test_${name} PRIVATE tain::sampling GTest::gmock_main ${ARG_LINK})
  # Fixed seeds: a test turns red only because code has changed.
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT 600 ENVIRONMENT "RC_PARAMS=seed=1")
endfunction()
