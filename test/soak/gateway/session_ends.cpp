#include "session_ends.hpp"

#include "gateway/mcp_gateway.hpp"
#include "support/process_state.hpp"
#include "support/sanitized.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include <signal.h>

namespace partyline::test {
namespace {

using clock = std::chrono::steady_clock;

// In which what a dead server did not answer is an error.
constexpr std::chrono::seconds error_time{is_sanitized ? 5 : 1};

constexpr std::string_view slow_call =
    R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow","arguments":{"steps":50,"ms":10},)"
    R"("_meta":{"progressToken":"p"}}})";

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != text.npos;
}

void require(bool is_so, const std::string& what)
{
    if (!is_so)
        throw std::runtime_error(what);
}

void deleted(running_gateway& gateway)
{
    live_session session(gateway);
    session.call_until_answered();
    session.end_by_delete();
}

// What is left of it ends by itself.
void left_idle(running_gateway& gateway)
{
    live_session session(gateway);
    session.call_until_answered();
}

// The call goes on without its client; then the session is idle.
void reset_in_mid_call(running_gateway& gateway)
{
    live_session session(gateway);
    session.begin_slow_call();
    session.client.reset();
}

void reset_before_an_answer(running_gateway& gateway)
{
    live_session session(gateway);
    session.client.post("/mcp", slow_call, session.field);
    session.client.reset();
}

// This session's server among them; those of others are started again, as long as these last. Where a shell has started
// it, the shell comes after it: a gateway that sees the shell die tells the server, which then cancels in order what it
// is at.
void kill_all_servers(running_gateway& gateway)
{
    const std::vector<pid_t> servers = descendants_of(gateway.process().id());
    for (auto one = servers.rbegin(); one != servers.rend(); ++one)
        ::kill(*one, SIGKILL);
}

void killed_in_mid_call(running_gateway& gateway)
{
    live_session session(gateway);
    session.begin_slow_call();
    kill_all_servers(gateway);
    const auto killed = clock::now();
    session.client.read_until("\"id\":7");
    const std::string end = session.client.read_until("\n\n");
    require(has(end, "\"code\":-32603"), "a call of a server that was killed ends so: " + end);
    require(clock::now() < killed + error_time, "an error has come late");
    session.client = gateway.connect(); // the answer's end is of no interest
    session.call_until_answered();
    session.end_by_delete();
}

// While another server is started, or waited for.
void killed_and_deleted(running_gateway& gateway)
{
    live_session session(gateway);
    kill_all_servers(gateway);
    session.end_by_delete();
}

} // namespace

live_session::live_session(running_gateway& gateway) : client(gateway.connect()), field(mcp_gateway::greet(client)) {}

void live_session::call_until_answered()
{
    const auto deadline = clock::now() + patience;
    std::string body;
    do {
        body = client.ask("/mcp", mcp_gateway::call(1, "test_simple_text"), field).body;
        require(clock::now() < deadline, "only errors: " + body);
    } while (has(body, "\"code\":-32603"));
    require(has(body, "simple text response"), "not the answer: " + body);
}

void live_session::begin_slow_call()
{
    client.post("/mcp", slow_call, field);
    require(client.head().status == 200, "a call is refused");
    client.read_until("notifications/progress");
    is_calling = true;
}

void live_session::finish()
{
    if (is_calling)
        client.read_until("50 steps done");
    client.close();
}

void live_session::end_by_delete()
{
    client.request("DELETE", "/mcp", field);
    const int status = client.response().status;
    require(status == 204, "DELETE is answered " + std::to_string(status));
}

void end_any_way(running_gateway& gateway, std::mt19937_64& random)
{
    constexpr std::array all{
        deleted, left_idle, reset_in_mid_call, reset_before_an_answer, killed_in_mid_call, killed_and_deleted};
    all[random() % all.size()](gateway);
}

} // namespace partyline::test
