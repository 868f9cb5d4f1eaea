# Feeds `request` to `program` and compares what it answers with `reply`.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${program} INPUT_FILE ${request} OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
file(READ ${reply} expected)
if(NOT answer STREQUAL expected)
    message(FATAL_ERROR "expected:\n${expected}\ngot:\n${answer}")
endif()
