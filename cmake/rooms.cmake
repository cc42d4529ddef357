# One function per kind of target, so that every room, program and test is compiled alike.

# Sources that use the same templates are compiled a few at a time, so that these are instantiated once: it halves the time
# of a whole build. Vector code, which includes itself once per instruction set, stays by itself.
option(TAIN_UNITY "Compile sources a few at a time" ON)

function(tain_setup target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # Public headers are in include/, as they are installed; the others beside their sources.
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  # Sources that are compiled along with others look like headers to the compiler, and their constants like those of all.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow$<$<BOOL:${TAIN_UNITY}>:=local>
                                           -Wno-sign-conversion -Wno-subobject-linkage -ffp-contract=off)
  if(TAIN_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(TAIN_CHECKED)
    target_compile_definitions(${target} PRIVATE TAIN_CHECKED)
  endif()
  if(TAIN_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(TAIN_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TAIN_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${TAIN_SANITIZE})
  endif()
endfunction()

# tain_unity(target [ALONE sources ...]): after the sources are known. ALONE are those that use the same names as another
# source of the target for other things, which the whole target must not.
function(tain_unity target)
  cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
  if(NOT TAIN_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(STRINGS ${source} vector_code REGEX "foreach_target.h" LIMIT_COUNT 1)
    if(vector_code OR source IN_LIST ARG_ALONE)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# Headers that most sources begin with are parsed once, instead of once per source, where no compiler cache works: it
# could not keep what was compiled so, and its users see includes that are missing.
if(TAIN_TESTS AND NOT TAIN_FUZZ AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile ON)
endif()
option(TAIN_PRECOMPILE "Parse common headers once" ${precompile})

# tain_precompile(target library|test)
function(tain_precompile target kind)
  if(NOT TAIN_PRECOMPILE)
    return()
  endif()
  set(headers tain_${kind}_headers)
  if(NOT TARGET ${headers})
    set(source ${PROJECT_BINARY_DIR}/precompiled/no_source.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    if(kind STREQUAL library)
      add_library(${headers} OBJECT ${source})
      target_link_libraries(${headers} PRIVATE fmt::fmt)
      target_precompile_headers(${headers} PRIVATE <fmt/format.h>)
    else()
      add_executable(${headers} ${source})
      target_link_libraries(${headers} PRIVATE GTest::gmock_main)
      target_precompile_headers(${headers} PRIVATE <gmock/gmock.h> <gtest/gtest.h> <fstream> <random>)
    endif()
    tain_setup(${headers})
    target_precompile_headers(${headers} PRIVATE <algorithm> <cmath> <filesystem> <functional> <map> <memory> <numeric>
                                                 <optional> <span> <string> <vector>)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
  # GCC 12 is wrong about these inside std::string; it keeps quiet only where it parses the system's header itself.
  target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endfunction()

# tain_room(name SOURCES a.cpp ... [LINK private libraries ...])
# Adds the sources of one room to the library `tain_sampling`.
function(tain_room room)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(tain_room_${room} OBJECT ${ARG_SOURCES})
  tain_setup(tain_room_${room})
  tain_precompile(tain_room_${room} library)
  tain_unity(tain_room_${room})
  target_link_libraries(tain_room_${room} PRIVATE fmt::fmt ${ARG_LINK})
  target_sources(tain_sampling PRIVATE $<TARGET_OBJECTS:tain_room_${room}>)
  target_link_libraries(tain_sampling PRIVATE ${ARG_LINK})
endfunction()

# Seconds after which a test that hangs is ended: a guard, far above what any takes on one slow core.
set(TAIN_HANGS 1800)

# tain_test(name LABEL unit|stat|threads|slow SOURCES a_test.cpp ... [ALONE a_test.cpp ...] [LINK ...])
# One program per room, and another for its statistical tests.
function(tain_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;ALONE;LINK" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  tain_setup(test_${name})
  tain_precompile(test_${name} test)
  tain_unity(test_${name} ALONE ${ARG_ALONE})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(test_${name} PRIVATE TAIN_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(test_${name} PRIVATE tain::sampling GTest::gmock_main rapidcheck rapidcheck_gtest ${ARG_LINK})
  # Fixed seeds: a test turns red only because code has changed.
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 600
                       PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${TAIN_HANGS} ENVIRONMENT "RC_PARAMS=seed=1")
endfunction()
