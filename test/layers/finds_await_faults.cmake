# Builds trees of one file with one statement each, and holds the check of co_await expressions to its word.
cmake_minimum_required(VERSION 3.25)

function(expect outcome statement)
    file(REMOVE_RECURSE "${scratch}")
    file(WRITE "${scratch}/lib/a.cpp" "task<> f()\n{\n    ${statement}\n}\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -D root=${scratch} -P ${check}
        RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if(outcome STREQUAL "fault" AND (status EQUAL 0 OR NOT err MATCHES "lib/a.cpp"))
        message(SEND_ERROR "not found: ${statement}\n${err}")
    elseif(outcome STREQUAL "fine" AND NOT status EQUAL 0)
        message(SEND_ERROR "refused: ${statement}\n${err}")
    endif()
endfunction()

expect(fault "co_await call({this, 1})\;")
expect(fault "const auto x = co_await call(\"a\", options{1})\;")
expect(fault "co_await call(\n        \"a\",\n        {})\;")
expect(fault "co_await call(list<list<int>>{})\;")
expect(fault "co_return co_await call(std::string{})\;")
expect(fault "if (co_await call(a) == point{1, 2})\n        g()\;")

expect(fault "while (co_await call(one) == 0) {}")
expect(fault "while (co_await call(one) == 0) {\n    }")

expect(fine "while (co_await call(one) == 0) {\n        ++tries\;\n    }")
expect(fine "while (co_await call(one))\n        ++tries\;")
expect(fine "co_await call(one)\;")
expect(fine "if (co_await call(one)) {\n        g({1})\;\n    }")
expect(fine "co_await once(\"a\", [] { return 1\; })\;")
expect(fine "co_await once(\"a\", [this](int) { return 1\; })\;")
expect(fine "co_await [](int a) -> task<int> { co_return a\; }(1)\;")
expect(fine "try {\n        co_await call(one)\;\n    } catch (...) {}")
expect(fine "co_await call(one)\; // {}")
