# find_package(Heddle): programs that Heddle can record and replay, target by target, in a
# build that is otherwise an ordinary one.
#
#   heddle_instrument(TARGET...)
#       compiles the targets' sources with instrumentation and links Heddle's runtime. Link
#       order and rpath are taken care of; a static library hands the runtime on to what
#       links it. In a build whose compiler is heddle-c++ everything is instrumented anyway,
#       and this does nothing.
#   heddle_add_test(TARGET [NAME name] [OPTIONS option...] [ARGUMENTS argument...])
#       instruments the executable and adds a test that runs it by
#       `heddle record OPTIONS -- TARGET ARGUMENTS`, labelled "heddle".
#
# Works from an installation and from Heddle's build tree (-DHeddle_DIR=.../lib/cmake/Heddle,
# or CMAKE_PREFIX_PATH).
get_filename_component(HEDDLE_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HEDDLE_PROGRAM "${HEDDLE_PREFIX}/bin/heddle")
set(HEDDLE_C_COMPILER "${HEDDLE_PREFIX}/bin/heddle-cc")
set(HEDDLE_CXX_COMPILER "${HEDDLE_PREFIX}/bin/heddle-c++")
set(HEDDLE_RUNTIME "${HEDDLE_PREFIX}/lib/libheddle_rt.so" CACHE FILEPATH "Heddle's runtime")

function(_heddle_compiles_everything result)
  foreach(compiler "${CMAKE_CXX_COMPILER}" "${CMAKE_C_COMPILER}")
    get_filename_component(name "${compiler}" NAME)
    if(name MATCHES "^heddle-c")
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} FALSE PARENT_SCOPE)
endfunction()

# The flags of heddle-c++ (src/compile/plan.cpp), as generator expressions.
set(_heddle_clang "$<OR:$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>")
set(_heddle_gcc "$<OR:$<COMPILE_LANG_AND_ID:C,GNU>,$<COMPILE_LANG_AND_ID:CXX,GNU>>")
set(_heddle_compile_options
    "$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=thread;-g>"
    "$<${_heddle_clang}:-fstandalone-debug>"
    "$<${_heddle_clang}:SHELL:-mllvm -tsan-instrument-read-before-write=1>"
    "$<${_heddle_clang}:SHELL:-mllvm -tsan-distinguish-volatile=1>"
    "$<${_heddle_clang}:SHELL:-mllvm -capture-tracking-max-uses-to-explore=0>"
    "$<${_heddle_clang}:SHELL:-mllvm -instcombine-lower-dbg-declare=0>"
    "$<${_heddle_gcc}:SHELL:--param tsan-distinguish-volatile=1>"
    "$<${_heddle_gcc}:-fno-builtin-memcpy;-fno-builtin-memmove;-fno-builtin-memset>"
    "$<${_heddle_gcc}:-fno-var-tracking-assignments>")

function(heddle_instrument)
  _heddle_compiles_everything(everything)
  if(everything)
    return()
  endif()
  if(NOT EXISTS "${HEDDLE_RUNTIME}")
    message(FATAL_ERROR "Heddle's runtime ${HEDDLE_RUNTIME} is missing: build it, install Heddle "
                        "anew, or set HEDDLE_RUNTIME")
  endif()
  get_filename_component(folder "${HEDDLE_RUNTIME}" DIRECTORY)
  set(near_hooks "${folder}/heddle_hooks.o")
  if(NOT EXISTS "${near_hooks}")
    set(near_hooks "")
  endif()
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${_heddle_compile_options})
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    get_target_property(type ${target} TYPE)
    set(scope PRIVATE)
    if(type MATCHES "STATIC_LIBRARY|OBJECT_LIBRARY")
      set(scope INTERFACE)
    endif()
    target_link_options(${target} BEFORE ${scope}
      "SHELL:${near_hooks} -Wl,--push-state,--no-as-needed ${HEDDLE_RUNTIME} -Wl,--pop-state"
      "SHELL:-Wl,-rpath,${folder}")
  endforeach()
endfunction()

function(heddle_add_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME" "OPTIONS;ARGUMENTS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test(${target}): unexpected '${arg_UNPARSED_ARGUMENTS}'; "
                        "it takes NAME, OPTIONS and ARGUMENTS")
  endif()
  if(NOT arg_NAME)
    set(arg_NAME heddle.${target})
  endif()
  heddle_instrument(${target})
  add_test(NAME ${arg_NAME}
           COMMAND ${HEDDLE_PROGRAM} record ${arg_OPTIONS} -- $<TARGET_FILE:${target}> ${arg_ARGUMENTS})
  set_tests_properties(${arg_NAME} PROPERTIES LABELS heddle)
endfunction()
