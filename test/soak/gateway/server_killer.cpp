#include "server_killer.hpp"

#include "gateway/mcp_gateway.hpp"
#include "gateway_log.hpp"
#include "support/process_state.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <signal.h>

namespace partyline::test {
namespace {

constexpr std::size_t connections = 16;

// The least that a server answers before it is killed: more than what the one before it may still have answered.
constexpr std::uint64_t results_of_each = 200;

// In which what a dead server did not answer is an error.
constexpr std::chrono::seconds error_time{is_sanitized ? 5 : 1};

std::vector<std::string> words_of(server_killer::server kind)
{
    switch (kind) {
    case server_killer::server::own: return {"--", PARTYLINE_MCP_FIXTURE};
    case server_killer::server::shared: return {"--share", "--", PARTYLINE_MCP_FIXTURE};
    case server_killer::server::plain: break;
    }
    return {"--", PARTYLINE_ECHO};
}

// A session is asked by all its clients, and what they leave would go on there.
client_pool::choose_plan conduct_for(server_killer::server kind)
{
    return kind == server_killer::server::plain ? any_plan : patient_plan;
}

} // namespace

server_killer::server_killer(server kind, std::uint64_t seed, std::size_t kills)
    : gateway_(words_of(kind)), kills_left_(kills), begun_(begin(kind, gateway_)),
      clients_(gateway_.port(), connections, post_mix(seed, post_mix::answers::or_error, begun_.to), conduct_for(kind))
{
}

// What is asked first starts the first server.
server_killer::beginning server_killer::begin(server kind, running_gateway& gateway)
{
    http_client first = gateway.connect();
    post_target to;
    if (kind == server::plain)
        first.ask("/rpc", echo_request(1));
    else
        to = {post_target::protocol::mcp, mcp_gateway::greet(first)};
    return {to, descriptors_of(gateway.process().id()) - 1};
}

void server_killer::poll()
{
    clients_.fill();
    clients_.poll(std::chrono::milliseconds(1));
    check_errors();
    read_log(gateway_.errors());
    if (kills_left_ != 0 && results_of_last() >= results_of_each)
        kill_server();
}

bool server_killer::is_over() const
{
    return kills_left_ == 0 && results_of_last() >= results_of_each;
}

void server_killer::kill_server()
{
    const std::vector<pid_t> servers = gateway_.servers();
    if (servers.size() != 1)
        throw std::runtime_error(std::to_string(servers.size()) + " servers behind a gateway that has answered");
    --kills_left_;
    results_before_ = counts().results;
    ::kill(servers.front(), SIGKILL);
    killed_ = clock::now();
}

void server_killer::check_errors()
{
    if (counts().failed != errors_before_ && clock::now() > killed_ + error_time)
        throw std::runtime_error("an error has come late");
    errors_before_ = counts().failed;
}

void server_killer::finish()
{
    clients_.finish();
    check_errors();
    const pid_t id = gateway_.process().id();
    const std::vector<pid_t> servers = gateway_.servers();
    if (servers.size() != 1 || !has_at_most_descriptors_soon(id, begun_.descriptors))
        throw std::runtime_error("the gateway keeps more than it had");
    gateway_.process().signal(SIGTERM);
    if (gateway_.process().wait_exit() != 128 + SIGTERM || !is_gone_soon(servers.front()))
        throw std::runtime_error("the gateway has not ended as it should");
    read_log(gateway_.errors());
}

} // namespace partyline::test
