# The table and the chart of README.md follow from results.json:
# cmake -D bench=<partyline-bench> -D folder=<test/bench> -D mode=write|check -P page.cmake
cmake_minimum_required(VERSION 3.25)

set(begin "<!-- The table: written by the target bench_report. -->\n")
set(end "<!-- The end of the table. -->")

function(run_bench option out)
    execute_process(COMMAND ${bench} ${option} ${folder}/results.json OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

# `page` with `table` between the two marks.
function(replace_table page table out)
    string(FIND "${page}" "${begin}" from)
    string(FIND "${page}" "${end}" to)
    if(from EQUAL -1 OR to LESS from)
        message(FATAL_ERROR "${folder}/README.md lacks the lines between which the table stands")
    endif()
    string(LENGTH "${begin}" length)
    math(EXPR from "${from} + ${length}")
    string(SUBSTRING "${page}" 0 ${from} before)
    string(SUBSTRING "${page}" ${to} -1 after)
    set(${out} "${before}\n${table}\n${after}" PARENT_SCOPE)
endfunction()

run_bench(--table table)
run_bench(--chart chart)
file(READ ${folder}/README.md page)
replace_table("${page}" "${table}" new_page)

if(mode STREQUAL "write")
    file(WRITE ${folder}/README.md "${new_page}")
    file(WRITE ${folder}/chart.svg "${chart}")
else()
    file(READ ${folder}/chart.svg old_chart)
    foreach(pair "page new_page README.md" "old_chart chart chart.svg")
        separate_arguments(pair)
        list(GET pair 0 old)
        list(GET pair 1 new)
        list(GET pair 2 name)
        if(NOT "${${old}}" STREQUAL "${${new}}")
            message(SEND_ERROR "${folder}/${name} is not what partyline-bench makes of results.json. Nothing in it is to "
                "be typed: `cmake --build --preset release --target bench_page` writes it anew")
        endif()
    endforeach()
endif()
