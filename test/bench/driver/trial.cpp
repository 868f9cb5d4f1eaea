#include "trial.hpp"

#include "reply_check.hpp"

#include <algorithm>
#include <csignal>

#include <sys/resource.h>

namespace bench {
namespace {

// For peers that do not raise their own limit: a connection takes a descriptor on both sides.
void allow_children_all_descriptors()
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

request_recipe first_call(const server_spec& server)
{
    constexpr std::size_t bytes = 16;
    if (server.spoken != protocol::json_rpc)
        return {.method = "tools/call", .fill = tool_call(server.spoken, bytes), .like = likeness::of_tool};
    return {.method = server.echo_method.value_or("echo"), .fill = text_of(bytes), .echoes = true};
}

} // namespace

// In the order of the services.
const service_facts& facts_of(service served)
{
    constexpr const char* http = " --http 127.0.0.1:0";
    constexpr const char* tls = " --listen 127.0.0.1:0";
    static constexpr service_facts all[] = {{speech::streams},
                                            {speech::lines, "", " --tcp 127.0.0.1:0"},
                                            {speech::http, "/rpc", http},
                                            {speech::http, "/mcp", http},
                                            {speech::websocket, "/ws", http},
                                            {speech::lines, "", tls, true},
                                            {speech::http, "/rpc", tls, true}};
    return all[static_cast<std::size_t>(served)];
}

trial::trial(const server_spec& server, const surroundings& around) : spec_(server), patience_(around.patience)
{
    if (spec_.served != service::streams)
        allow_children_all_descriptors();
    if (!around.server_cores.empty())
        place_.emplace(around.server_cores);
    begin_ = clock::now();
    process_.emplace(spec_.command, around.over);
    place_.reset();
    if (spec_.served != service::streams)
        port_ = process_->wait_for_port(patience_);
    if (!around.client_cores.empty())
        place_.emplace(around.client_cores);
    if (facts_of(spec_.served).is_encrypted)
        secured_.emplace(spec_.certificate_file);
    wire_.emplace(*process_, spec_.served == service::streams ? spec_.how : framing::ndjson, patience_);
}

// Connections are closed, or some servers do that, after five seconds without a request.
void trial::begin()
{
    random_source random(1);
    const request_set first(first_call(spec_), random);
    const caller asking = open();
    exchange(*asking.over, request_of(asking.how, first.body(0)));
    start_time_ = clock::now() - begin_;
    check(first);
    if (!streams_)
        wire_->close(*asking.over);
    mark();
}

caller trial::open(protocol spoken)
{
    if (spec_.served != service::streams)
        return connect(spoken);
    if (!streams_) {
        streams_ = caller{&wire_->open_streams(), {.path = "", .how = speech::streams, .framed = spec_.how}};
        if (spoken == protocol::mcp_handshake)
            shake_hands(*streams_);
    }
    return *streams_;
}

caller trial::connect(protocol spoken)
{
    const service_facts& reached = facts_of(spec_.served);
    const speech how = reached.how;
    caller made{
        &wire_->open(port_, how, secured_ ? &*secured_ : nullptr),
        {.path = reached.path, .port = port_, .spoken = spoken, .how = how, .authorizations = spec_.authorizations}};
    if (how == speech::websocket) {
        const std::string opening = opening_of(made.how);
        wire_->send(*made.over, opening);
        wire_->run(0, [&] { return made.over->frames().is_open(); });
    }
    if (spoken == protocol::mcp_handshake)
        shake_hands(made);
    return made;
}

std::vector<caller> trial::open_all(std::size_t count)
{
    std::vector<caller> made;
    while (made.size() < count)
        made.push_back(open());
    return made;
}

// The notification has an answer over HTTP alone.
void trial::shake_hands(caller& with)
{
    exchange(*with.over, request_of(with.how, handshake::request));
    inbox& received = wire_->received();
    const std::string_view reply = received.size() == 0 ? "" : received[received.size() - 1];
    if (reply.empty() || !is_greeting(reply))
        throw failure("has not greeted as MCP wants it: " + quote(reply));
    received.clear();
    with.how.session = with.over->replies().session();
    exchange(*with.over, request_of(with.how, handshake::notification), with.how.how == speech::http ? 1 : 0);
}

void trial::exchange(connection& over, std::string_view text, std::size_t answers)
{
    const std::size_t before = over.answers();
    wire_->send(over, text);
    wire_->run(answers, [&] { return over.answers() >= before + answers && !over.has_unsent(); });
}

void trial::check(const request_set& requests)
{
    if (spec_.echo_method) {
        reply_check replies(requests);
        replies.note_all(wire_->received());
        replies.finish();
    } else {
        check_same(requests, wire_->received(), streams_.has_value());
    }
    wire_->received().clear();
}

std::chrono::nanoseconds trial::finish()
{
    // The system forgets the time of servers behind a gateway that ends without waiting for them.
    const std::chrono::nanoseconds so_far = used();
    if (streams_) {
        wire_->end_input();
    } else {
        wire_.reset(); // requests that are not complete are not to hold it up
        process_->signal(SIGTERM);
        if (!process_->ends_within(patience_))
            throw failure("did not end after SIGTERM; it is killed");
    }
    return std::max(process_->total_cpu_time() - marked_, so_far);
}

} // namespace bench
