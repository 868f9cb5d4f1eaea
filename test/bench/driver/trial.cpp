#include "trial.hpp"

#include "reply_check.hpp"
#include "wire.hpp"

#include <algorithm>

namespace bench {

request_recipe first_call(const server_spec& server)
{
    constexpr std::size_t bytes = 16;
    if (server.spoken != protocol::json_rpc)
        return {.method = "tools/call",
                .fill = tool_call(server.spoken, bytes),
                .how = server.how,
                .like = likeness::of_tool};
    return {.method = server.echo_method.value_or("echo"), .fill = text_of(bytes), .how = server.how, .echoes = true};
}

std::string last_words(server_process& process)
{
    process.kill(); // one that goes on talking has no last words
    while (process.read_errors()) {
        // All that it has left.
    }
    std::string_view said = process.last_stderr_lines();
    said = said.substr(0, said.find_last_not_of(" \r\n") + 1);
    return said.empty() ? "" : "\nThe end of its standard error:\n" + std::string(said);
}

trial::trial(const server_spec& server, const surroundings& around) : server_(server)
{
    if (!around.server_cores.empty())
        place_.emplace(around.server_cores);
    begin_ = clock::now();
    process_.emplace(server.command, around.over);
    place_.reset();
    if (!around.client_cores.empty())
        place_.emplace(around.client_cores);
    wire_.emplace(*process_, server.how, around.patience);
}

void trial::begin()
{
    if (server_.spoken == protocol::mcp_handshake)
        shake_hands();
    random_source random(1);
    const request_set first(first_call(server_), random);
    wire_->exchange(first.text(), 1);
    start_time_ = clock::now() - begin_;
    check(first);
    mark();
}

void trial::shake_hands()
{
    wire_->exchange(make_handshake(server_.how), 1);
    if (const std::string_view reply = wire_->received()[0]; !is_greeting(reply))
        throw failure("has not greeted as MCP wants it: " + quote(reply));
    wire_->received().clear();
}

void trial::check(const request_set& requests)
{
    if (server_.echo_method) {
        reply_check replies(requests);
        replies.note_all(wire_->received());
        replies.finish();
    } else {
        check_same(requests, wire_->received());
    }
    wire_->received().clear();
}

std::chrono::nanoseconds trial::finish()
{
    wire_->end();
    return std::max(process_->total_cpu_time() - marked_, std::chrono::nanoseconds(0));
}

} // namespace bench
