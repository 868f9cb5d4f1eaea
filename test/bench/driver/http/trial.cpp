#include "trial.hpp"

#include "bench/driver/reply_check.hpp"
#include "bench/driver/wire.hpp"

#include <algorithm>

#include <sys/resource.h>

namespace bench::http {
namespace {

// What a child inherits too: a connection takes a descriptor on both sides.
void raise_descriptor_limit()
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

// A server that returns what it gets has returned all of it, in whatever order of its connections.
void check_returned(const request_set& requests, const inbox& received)
{
    std::vector<std::string_view> sent;
    std::vector<std::string_view> back;
    for (std::size_t i = 0; i < requests.messages(); ++i)
        sent.push_back(body_of(requests, i));
    for (std::size_t i = 0; i < received.size(); ++i)
        back.push_back(received[i]);
    std::sort(sent.begin(), sent.end());
    std::sort(back.begin(), back.end());
    if (sent != back)
        throw failure("has not returned each request as it was sent");
}

speech speech_of(service served)
{
    switch (served) {
    case service::tcp:
    case service::tls: return speech::lines;
    case service::websocket: return speech::websocket;
    default: return speech::http;
    }
}

const char* path_of(service served)
{
    switch (served) {
    case service::http_mcp: return "/mcp";
    case service::websocket: return "/ws";
    default: return "/rpc";
    }
}

std::optional<tls_client> tls_for(const server_spec& server)
{
    if (!is_encrypted(server.served))
        return std::nullopt;
    return tls_client(server.certificate_file);
}

} // namespace

std::vector<head_recipe> heads_of(const std::vector<caller>& callers)
{
    std::vector<head_recipe> heads;
    for (const caller& each : callers)
        heads.push_back(each.how);
    return heads;
}

trial::trial(const server_spec& server, const surroundings& around) : spec_(server), patience_(around.patience)
{
    raise_descriptor_limit();
    if (!around.server_cores.empty())
        place_.emplace(around.server_cores);
    server_.emplace(server.command, around.patience);
    place_.reset();
    if (!around.client_cores.empty())
        place_.emplace(around.client_cores);
    wire_.emplace(server_->process(), server_->port(), speech_of(server.served), around.patience, tls_for(server));
}

void trial::begin()
{
    random_source random(1);
    const request_set first(first_call(spec_), random);
    const caller asking = open();
    const post_set post({asking.how}, first);
    exchange(*asking.over, post.text(0, 0, 1));
    check(first);
    wire_->close(*asking.over); // or some servers do, after five seconds without a request
    mark();
}

caller trial::open(protocol spoken)
{
    caller made{
        &wire_->open(),
        {.path = path_of(spec_.served), .port = server_->port(), .spoken = spoken, .how = speech_of(spec_.served)}};
    if (made.how.how == speech::websocket)
        open_websocket(made);
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

void trial::open_websocket(const caller& with)
{
    const std::string opening = opening_of(with.how);
    wire_->send(*with.over, opening);
    wire_->run([&] { return with.over->frames().is_open(); }, [](connection&) {});
}

void trial::shake_hands(caller& with)
{
    const std::string handshake = make_handshake(framing::ndjson);
    const std::size_t end = handshake.find('\n');
    const std::string_view text(handshake);
    exchange(*with.over, post_of(with.how, text.substr(0, end)));
    inbox& received = wire_->received();
    if (received.size() == 0 || !is_greeting(received[received.size() - 1]))
        throw failure("has not greeted as MCP wants it");
    received.clear();
    with.how.session = with.over->replies().session();
    exchange(*with.over, post_of(with.how, text.substr(end + 1, text.size() - end - 2)));
}

void trial::exchange(connection& over, std::string_view request)
{
    const std::size_t before = over.answers();
    wire_->send(over, request);
    wire_->run([&] { return over.answers() > before; }, [](connection&) {});
}

void trial::check(const request_set& requests)
{
    if (spec_.echo_method) {
        reply_check replies(requests);
        replies.note_all(wire_->received());
        replies.finish();
    } else {
        check_returned(requests, wire_->received());
    }
    wire_->received().clear();
}

std::chrono::nanoseconds trial::finish()
{
    // The system forgets the time of servers behind a gateway that ends without waiting for them.
    const std::chrono::nanoseconds so_far = used();
    wire_.reset(); // requests that are not complete are not to hold it up
    server_->end(patience_);
    return std::max(process().total_cpu_time() - marked_, so_far);
}

} // namespace bench::http
