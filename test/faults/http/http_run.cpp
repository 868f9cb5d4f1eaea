#include "http_run.hpp"

#include "heard_responses.hpp"
#include "support/scripted_store.hpp"
#include "talking_client.hpp"

#include <partyline/session/detail/task_memory.hpp>

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

const std::string healthz = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

http::server_options quick_options(const http_script& played)
{
    http::server_options options;
    options.access = played.access;
    if (played.has_store) {
        options.event_store = std::make_shared<scripted_store>();
        options.mcp.stream_events = 2;
    }
    options.session.executor_is_serial = true; // Asio 1.26 ends the process where there is no memory for a strand
    options.session.drain_timeout = options.session.cancel_grace = 200ms;
    options.times.drain = 200ms;
    options.session.log = [](std::string_view) {};
    return options;
}

// Until `is_over`, or until that takes too long: false.
bool run(asio::io_context& context, std::vector<std::string>& escaped, const std::function<bool()>& advance,
         const std::function<bool()>& is_over)
{
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (!is_over()) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        try {
            if (context.poll() == 0 && !advance())
                context.run_one_for(10ms);
        } catch (const std::exception& e) { // of what Asio had begun
            const unharmed own;
            escaped.push_back(e.what());
        }
    }
    return true;
}

} // namespace

bool has_heard_all(const http_script& played, std::size_t connection, const std::string& came)
{
    const std::vector<heard_response> all = responses_in(came);
    const bool is_whole = connection == played.listens || all.empty() || all.back().is_complete;
    return all.size() == played.responses[connection] && is_whole;
}

http_record perform(const http_script& played, allocation_plan memory, socket_plan sockets)
{
    detail::release_task_memory(); // else what an earlier run has left spares this one an allocation
    http_record record;
    asio::io_context context(1);
    auto token = std::make_shared<int>();
    const std::weak_ptr<int> watched = token;
    std::optional<http::server> server(std::in_place, context.get_executor(), quick_options(played));
    std::shared_ptr<void> beside = played.serve(*server, std::move(token));
    const std::uint16_t port = server->listen_tcp("127.0.0.1", 0).port();
    server->async_run([&](error_code failed) {
        ++record.ends;
        record.result = failed;
    });
    const auto nothing = [] { return false; };
    context.poll(); // it listens
    {
        talking_client client(port, played);
        const armed_sockets broken(sockets);
        const armed_allocations armed(memory);
        record.is_late =
            !run(context, record.escaped, [&] { return client.advance(); }, [&] { return client.is_over(); });
        record.failed_allocations = armed.failed();
        record.has_struck = broken.has_struck();
        client.tell(record.heard, record.was_closed);
    }
    const http_script looking{"a bystander", {{0, healthz}}, {1}, {}};
    {
        talking_client bystander(port, looking);
        run(context, record.escaped, [&] { return bystander.advance(); }, [&] { return bystander.is_over(); });
        record.is_bystander_well = bystander.heard(0).starts_with("HTTP/1.1 200 ");
    }
    server->close(); // nobody is left who might ask once more
    run(context, record.escaped, nothing, [&] { return record.ends != 0; });
    server.reset();
    beside.reset();
    context.restart();
    context.poll();
    record.is_all_gone = watched.expired();
    return record;
}

namespace {

bool is_error(const std::string& message)
{
    return message.find("\"error\"") != message.npos || message.find("\"isError\":true") != message.npos ||
           message == "close 1011";
}

void compare(const heard_response& expected, const heard_response& got, std::vector<std::string>& problems)
{
    if (got.status >= 400)
        return;
    if (got.status != expected.status && got.status != 200)
        problems.push_back("status " + std::to_string(got.status) + " for " + std::to_string(expected.status));
    for (const std::string& message : got.messages) {
        const bool is_known =
            std::find(expected.messages.begin(), expected.messages.end(), message) != expected.messages.end();
        if (!is_known && !is_error(message))
            problems.push_back("another message: " + message.substr(0, 200));
    }
}

} // namespace

std::vector<std::string> find_problems(const http_script& played, const http_record& clean, const http_record& faulty)
{
    std::vector<std::string> problems;
    if (faulty.is_late)
        problems.push_back("a client waits for ever");
    if (!faulty.is_bystander_well)
        problems.push_back("another client was not answered");
    if (faulty.ends != 1 || faulty.result)
        problems.push_back("async_run completed " + std::to_string(faulty.ends) + " times, with " +
                           faulty.result.message());
    if (!faulty.is_all_gone)
        problems.push_back("something has been left behind");
    for (std::size_t i = 0; i < faulty.heard.size(); ++i) {
        const std::vector<heard_response> expected = responses_in(clean.heard[i]);
        const std::vector<heard_response> got = responses_in(faulty.heard[i]);
        // Where an upgrade was refused, what was to go on by that is no request.
        if (got.size() > played.responses[i] && got.back().status != 400)
            problems.push_back("more answers than requests");
        for (std::size_t each = 0; each < std::min(got.size(), expected.size()); ++each)
            compare(expected[each], got[each], problems);
        if (!has_heard_all(played, i, faulty.heard[i]) && !faulty.was_closed[i])
            problems.push_back("an answer is missing");
    }
    return problems;
}

std::vector<std::string> find_differences(const http_record& clean, const http_record& faulty)
{
    std::vector<std::string> problems;
    for (std::size_t i = 0; i < faulty.heard.size(); ++i) {
        const std::vector<heard_response> expected = responses_in(clean.heard[i]);
        const std::vector<heard_response> got = responses_in(faulty.heard[i]);
        if (got.size() != expected.size())
            problems.push_back("there are " + std::to_string(got.size()) + " answers");
        for (std::size_t each = 0; each < std::min(got.size(), expected.size()); ++each) {
            if (got[each].status != expected[each].status || got[each].messages != expected[each].messages)
                problems.push_back("answer " + std::to_string(each) + " differs");
        }
    }
    return problems;
}

} // namespace partyline::test
