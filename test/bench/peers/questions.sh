# shellcheck shell=bash
# How peers are asked whether they are there, which is all that setup.sh wants to know of them: each of the functions
# takes the words of a command, and fails where what it starts does not answer within `patience` seconds.
: "${patience:?}"

# One request, its answer, the end of input, exit code 0.
answers_rpc() (
    trap '' PIPE # it may be gone
    request='{"jsonrpc":"2.0","id":1,"method":"echo","params":["x"]}'
    size=0 body=''
    coproc SERVER { exec timeout "$patience" "$@"; }
    pid=$SERVER_PID input=${SERVER[1]}
    printf 'Content-Length: %d\r\n\r\n%s' ${#request} "$request" >&"$input" || return 1
    while read -r -t "$patience" line <&"${SERVER[0]}" && [ -n "${line%$'\r'}" ]; do
        [[ $line =~ ^Content-Length:\ ([0-9]+) ]] && size=${BASH_REMATCH[1]}
    done
    read -r -t "$patience" -N "$size" body <&"${SERVER[0]}" || true
    exec {input}>&-
    wait "$pid" && [[ ${body// /} == *'"result":["x"]'* ]]
)

# The same of a tool, after the handshake.
answers_mcp() (
    trap '' PIPE
    start='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    start+='"clientInfo":{"name":"setup","version":"1"}}}'
    started='{"jsonrpc":"2.0","method":"notifications/initialized"}'
    request='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}'
    greeting='' reply=''
    coproc SERVER { exec timeout "$patience" "$@"; }
    pid=$SERVER_PID input=${SERVER[1]}
    printf '%s\n' "$start" >&"$input" || return 1
    read -r -t "$patience" greeting <&"${SERVER[0]}" || return 1
    printf '%s\n' "$started" "$request" >&"$input" || return 1
    read -r -t "$patience" reply <&"${SERVER[0]}" || return 1
    exec {input}>&-
    wait "$pid" && [[ $greeting = *'"protocolVersion"'* && ${reply// /} = *'"structuredContent":{"text":"x"}'* ]]
)

# The port of a server that listens where it says on its standard error, which is the standard input here.
port_told() {
    local line
    while read -r -t "$patience" line; do
        [[ ! $line =~ ^listening\ on\ http://.*:([0-9]+)$ ]] || { echo "${BASH_REMATCH[1]}"; break; }
    done
}

# One POST, and what has to be in the answer.
answers_post() (
    path=$1 body=$2 expected=$3 port='' reply=''
    shift 3
    # shellcheck disable=SC2069  # standard error is what tells the address, and all that is read
    coproc SERVER { exec timeout "$patience" "$@" 2>&1 >/dev/null; }
    pid=$SERVER_PID
    port=$(port_told <&"${SERVER[0]}")
    if [ -n "$port" ] && exec {wire}<>"/dev/tcp/127.0.0.1/$port"; then
        printf 'POST %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAccept: application/json, text/event-stream\r\n' \
            "$path" "$port" >&"$wire"
        printf 'Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s' \
            ${#body} "$body" >&"$wire"
        reply=$(timeout "$patience" cat <&"$wire")
    fi
    kill "$pid"
    [[ $reply = *"$expected"* ]]
)

answers_http() {
    answers_post /rpc '{"jsonrpc":"2.0","id":1,"method":"echo","params":["x"]}' '"result":["x"]' "$@"
}

# One message over a WebSocket, masked by four zeros, and its answer.
answers_websocket() (
    LC_ALL=C # bytes, not characters
    request='{"jsonrpc":"2.0","id":1,"method":"echo","params":["x"]}' port='' reply='' byte=''
    # shellcheck disable=SC2069  # standard error is what tells the address, and all that is read
    coproc SERVER { exec timeout "$patience" "$@" 2>&1 >/dev/null; }
    pid=$SERVER_PID
    port=$(port_told <&"${SERVER[0]}")
    if [ -n "$port" ] && exec {wire}<>"/dev/tcp/127.0.0.1/$port"; then
        printf 'GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' "$port" >&"$wire"
        printf 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n' >&"$wire"
        printf '%b%s' "\\x81\\x$(printf %x $((128 + ${#request})))\\0000\\0000\\0000\\0000" "$request" >&"$wire"
        while [[ $reply != *'"result":["x"]'* ]] && read -r -t "$patience" -N 1 -u "$wire" byte; do
            reply+=$byte
        done
    fi
    kill "$pid"
    [[ $reply = *'"result":["x"]'* ]]
)

answers_mcp_http() {
    local start='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    start+='"clientInfo":{"name":"setup","version":"1"}}}'
    answers_post /mcp "$start" '"protocolVersion":"2025-11-25"' "$@"
}

# A gateway passes that on: a shell that greets whoever comes is server enough.
answers_mcp_gateway() {
    # shellcheck disable=SC2016  # a shell of its own expands it
    local greeter='while read -r line; do [[ ! $line =~ \"id\":\ *([0-9]+) ]] || printf "$0" "${BASH_REMATCH[1]}"; done'
    local greeting='{"jsonrpc":"2.0","id":%d,"result":{"protocolVersion":"2025-11-25","capabilities":{},'
    greeting+='"serverInfo":{"name":"setup","version":"1"}}}\n'
    answers_mcp_http "$@" bash -c "$greeter" "$greeting"
}
