# How our own code is compiled. Everything that Heddle builds links heddle_options.
option(HEDDLE_WERROR "Treat warnings in our code as errors" OFF)
option(HEDDLE_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(HEDDLE_TESTS "Build the tests" ON)
option(HEDDLE_BENCHMARKS "Build the benchmarks" ON)
option(HEDDLE_PRECOMPILED_HEADERS "Parse the headers of libraries once for all folders" ON)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(heddle_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion)
# g++ 12 sees mistakes inside its own std::string: overlapping copies (its bug 105651), and more
# where code is compiled with -O1, with sanitizers or precompiled headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(heddle_options INTERFACE -Wno-restrict)
  set(HEDDLE_FALSE_ALARMS -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overflow
      -Wno-stringop-overread)
endif()
if(HEDDLE_WERROR)
  target_compile_options(heddle_options INTERFACE -Werror)
endif()
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=all -fno-omit-frame-pointer ${HEDDLE_FALSE_ALARMS})
  target_link_options(heddle_options INTERFACE -fsanitize=address,undefined)
endif()

# Most of the time to compile a file goes into headers that nearly all files include. The first
# folder, base, parses them, and all others take that over, unless they name headers of their own.
# Every file still includes what it uses: the clang preset builds without.
set(HEDDLE_COMMON_HEADERS <algorithm> <array> <functional> <map> <memory> <optional> <span> <string>
                          <string_view> <vector> <absl/container/flat_hash_map.h> <fmt/format.h>)
function(heddle_precompile_headers target)
  if(NOT HEDDLE_PRECOMPILED_HEADERS)
    return()
  elseif(ARGN)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM heddle_base)
  endif()
  target_compile_options(${target} PRIVATE ${HEDDLE_FALSE_ALARMS})
endfunction()

# heddle_library(NAME SUBTARGETS...): the folder's sources as one library that may use
# only the folders and libraries named here.
function(heddle_library name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(heddle_${name} STATIC ${sources})
  target_link_libraries(heddle_${name} PUBLIC heddle_options ${ARGN})
  if(name STREQUAL base)
    heddle_precompile_headers(heddle_${name} ${HEDDLE_COMMON_HEADERS})
  else()
    heddle_precompile_headers(heddle_${name})
  endif()
endfunction()

# heddle_test(NAME LIBRARIES...): the folder's test sources as one GoogleTest program,
# each of its tests known to ctest.
function(heddle_test name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE heddle_options ${ARGN} GTest::gmock GTest::gtest_main
                                             rapidcheck)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  # What is tested is optimised as usual; the tests themselves are mostly templates that take
  # longer to optimise than to run.
  target_compile_options(test_${name} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1> ${HEDDLE_FALSE_ALARMS})
  target_precompile_headers(test_${name} PRIVATE <gmock/gmock.h> <gtest/gtest.h>
                            <rapidcheck/gtest.h>)
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 3600)
endfunction()
