# The precompiled header of OWNER, a library.
function(resident_reuse_header BINARY OWNER)
  target_precompile_headers(${BINARY} REUSE_FROM ${OWNER})
  # Same code model as the header's, which is a library's.
  set_target_properties(${BINARY} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${BINARY} PRIVATE -fPIC)
endfunction()

# The precompiled header is built once, for resident_base, and shared by every other target.
function(resident_precompile BINARY)
  if("${BINARY}" STREQUAL "resident_base")
    target_precompile_headers(${BINARY} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h)
  else()
    resident_reuse_header(${BINARY} resident_base)
  endif()
endfunction()

# Test code is compiled quickly rather than well, and with one more precompiled header, which has
# GoogleTest in it. What it does with undefined behaviour is of no interest: the checks for that double
# the time that it takes to compile, and the compiler of packages makes them unasked. Several files
# are compiled at once.
function(resident_compile_as_test BINARY)
  set_target_properties(${BINARY} PROPERTIES UNITY_BUILD ON)
  target_compile_options(${BINARY} PRIVATE -O0)
  if(RESIDENT_SANITIZE MATCHES "undefined" OR CMAKE_CROSSCOMPILING)
    target_compile_options(${BINARY} PRIVATE -fno-sanitize=undefined)
  endif()
  if("${BINARY}" STREQUAL "resident_testing")
    target_precompile_headers(${BINARY} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/pch.h <gtest/gtest.h>)
  else()
    resident_reuse_header(${BINARY} resident_testing)
  endif()
endfunction()

# Who may include whom: a layer builds on the layers of its list.
set(layers_file ${PROJECT_SOURCE_DIR}/../.dev/layers.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${layers_file})
file(READ ${layers_file} RESIDENT_LAYERS_JSON)

# A layer's folders for systems: posix, and one named like each system. The target compiles its own.
string(TOLOWER "${CMAKE_SYSTEM_NAME}" RESIDENT_SYSTEM)
set(RESIDENT_OTHER_SYSTEMS posix linux darwin windows)
list(REMOVE_ITEM RESIDENT_OTHER_SYSTEMS ${RESIDENT_SYSTEM})
if(UNIX)
  list(REMOVE_ITEM RESIDENT_OTHER_SYSTEMS posix)
endif()

# resident_layer(NAME [LIBRARIES target...] [TEST_USES layer...])
#
# Declares the static library resident_<NAME> from every *.cc of the calling folder and its folders that is
# not a *_test.cc. Folders of other systems are left out. Where *_test.cc files exist, declares the test
# program <NAME>_test, whose tests have the label <NAME>. TEST_USES lists further layers that the tests
# include.
function(resident_layer NAME)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;TEST_USES" ${ARGN})
  set(uses "")
  string(JSON count LENGTH ${RESIDENT_LAYERS_JSON} native ${NAME})
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON layer GET ${RESIDENT_LAYERS_JSON} native ${NAME} ${i})
      list(APPEND uses resident_${layer})
    endforeach()
  endif()
  file(GLOB_RECURSE sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cc)
  foreach(system ${RESIDENT_OTHER_SYSTEMS})
    list(FILTER sources EXCLUDE REGEX "^${system}/")
  endforeach()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/linux AND NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${RESIDENT_SYSTEM})
    message(SEND_ERROR "There is no port to ${CMAKE_SYSTEM_NAME} yet: the folder "
                       "native/src/${NAME}/${RESIDENT_SYSTEM} is missing. Its counterpart is "
                       "native/src/${NAME}/linux.")
  endif()
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(sources)
    add_library(resident_${NAME} STATIC ${sources})
    resident_precompile(resident_${NAME})
    target_link_libraries(resident_${NAME} PUBLIC ${uses} ${ARG_LIBRARIES} Threads::Threads)
  else()
    add_library(resident_${NAME} INTERFACE)
    target_link_libraries(resident_${NAME} INTERFACE ${uses} ${ARG_LIBRARIES} Threads::Threads)
  endif()
  if(RESIDENT_TESTS AND tests)
    set(test_uses ${ARG_TEST_USES})
    list(TRANSFORM test_uses PREPEND resident_)
    add_executable(${NAME}_test ${tests})
    resident_compile_as_test(${NAME}_test)
    target_link_libraries(${NAME}_test PRIVATE resident_${NAME} ${test_uses} GTest::gtest_main)
    gtest_discover_tests(${NAME}_test DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT 300 LABELS ${NAME})
  endif()
endfunction()
