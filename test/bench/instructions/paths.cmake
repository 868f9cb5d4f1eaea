# The hot paths, and the requests that take them.

#                  server                      method      requests in a line, an option; over TCP how, how many at once
set(path_sample    partyline-echo              echo        1)      # a coroutine
set(path_batch     partyline-echo              echo        100)
set(path_plain     partyline-bench-server      echo_plain  1)
set(path_served    partyline-bench-server      echo_plain  1  --served)       # the same, told to a hook
set(path_coroutine partyline-bench-server      echo        1)
set(path_raw       partyline-bench-server      echo_raw    1)
set(path_timer     partyline-bench-server      echo_timer  1)      # suspends
set(path_post      partyline-bench-server      echo_post   1)      # suspends
set(path_typed     partyline-bench-server      add         1)
set(path_tool      partyline-bench-mcp-server  tools/call  1  --mcp)
set(path_http      partyline-echo              echo        1  --http post 1)
set(path_http_token partyline-echo             echo        1  --http token 1)
set(path_http_jwt  partyline-echo              echo        1  --http jwt 1)       # its verdict is known
set(path_websocket partyline-echo              echo        1  --http websocket 1)
set(path_websocket_pipelined partyline-echo    echo        1  --http websocket 32)
set(paths sample batch plain served coroutine raw timer post typed tool http http_token http_jwt websocket
    websocket_pipelined)

# Ids and params differ from request to request, but not in length, so that twice as many requests are twice the work.
function(request_text method number out)
    math(EXPR id "1000000 + ${number}")
    if(method STREQUAL "add")
        set(params "{\"a\":${id},\"b\":-1}")
    else()
        math(EXPR noise "17592186044416 + ${number} * 2654435761 % 17592186044416" OUTPUT_FORMAT HEXADECIMAL)
        string(SUBSTRING ${noise} 2 12 noise)
        set(params "[\"${noise}\"]") # 16 bytes
    endif()
    if(method STREQUAL "tools/call") # of a client of 2026-07-28, which says with each request who it is
        set(meta "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"")
        string(APPEND meta ",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1.0\"}")
        string(APPEND meta ",\"io.modelcontextprotocol/clientCapabilities\":{}")
        set(params "{\"name\":\"echo\",\"arguments\":{\"text\":\"${noise}\"},\"_meta\":{${meta}}}")
    endif()
    set(${out} "{\"jsonrpc\":\"2.0\",\"id\":${id},\"method\":\"${method}\",\"params\":${params}}" PARENT_SCOPE)
endfunction()

# One line of requests, with its newline; lines are numbered from 0.
function(request_line method per_line number out)
    math(EXPR first "${number} * ${per_line}")
    math(EXPR last "${first} + ${per_line} - 1")
    set(elements "")
    foreach(request RANGE ${first} ${last})
        request_text(${method} ${request} text)
        list(APPEND elements "${text}")
    endforeach()
    list(JOIN elements "," line)
    if(per_line GREATER 1)
        set(line "[${line}]")
    endif()
    set(${out} "${line}\n" PARENT_SCOPE)
endfunction()
