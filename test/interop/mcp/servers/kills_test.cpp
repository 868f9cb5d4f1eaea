// A foreign server that is killed again and again, with a supervised client of ours: PARTYLINE_KILLS times, by default
// once.

#include "driven_server.hpp"
#include "support/child_process.hpp"
#include "support/process_state.hpp"
#include "support/text_search.hpp"
#include "unit/mcp/client/begun.hpp"

#include <partyline/mcp/supervised_client.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

const error_code killed = child_exit::by_signal(SIGKILL).code();

int wanted_kills()
{
    const char* const told = std::getenv("PARTYLINE_KILLS");
    return told ? std::atoi(told) : 1;
}

struct killed_server {
    boost::asio::io_context context{1};
    const driven_command how = driven_command::given();
    std::shared_ptr<const child_report> process; // of the last start
    std::vector<std::string> updated;
    int tools_changed = 0;
    std::optional<error_code> run_ended;
    std::optional<mcp::supervised_client> tools;

    killed_server()
    {
        mcp::supervised_client_options options;
        options.restart.first_delay = 0s;
        options.restart.max_starts = 0;
        options.on_change = [](const supervisor_status&) {};
        tools.emplace(context.get_executor(), [this] { return make(); }, options);
        tools->async_run([this](error_code result) { run_ended = result; });
    }
    mcp::client make()
    {
        partyline::child_process server(context.get_executor(), how.command);
        process = server.report();
        mcp::client made(std::move(server), how.options());
        made.on_elicit([](const mcp::elicit_request&) { return mcp::elicit_answer::decline(); });
        made.on_log([](const mcp::log_entry&) {});
        made.set_roots({{"file:///srv/party", "party"}});
        made.on_tools_changed([this] { ++tools_changed; });
        made.on_resource_updated([this](const std::string& uri) { updated.push_back(uri); });
        return made;
    }

    void run_until(const std::function<bool()>& done)
    {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (!done()) {
            context.restart();
            BOOST_REQUIRE_MESSAGE(context.run_one_until(deadline) != 0, "what was waited for did not happen");
        }
    }
    // Of what asks by itself, and need not wait for anything else then.
    void repeat_until(const std::function<bool()>& done)
    {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (!done())
            BOOST_REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, "what was asked for did not come");
    }
    template <class T>
    begun<T> begin(operation<T> what)
    {
        begun<T> one;
        std::move(what)(one.token());
        return one;
    }
    template <class T>
    begun<T> run(operation<T> what)
    {
        begun<T> one = begin(std::move(what));
        run_until([&] { return one.has_ended(); });
        return one;
    }
    std::shared_ptr<mcp::client> ready() { return run(tools->ready()).outcome().value(); }
    void call(mcp::client& by, const tool_use& use)
    {
        for (int i = 0; i != (use.is_toggle ? 2 : 1); ++i) {
            const auto called = run(by.call_tool(use.tool, use.arguments));
            BOOST_TEST_REQUIRE(!called.failed(), called.failed().message());
            BOOST_TEST((i != 0 || contains(called.outcome()->text(), use.text)));
        }
    }
    void kill()
    {
        if (!process->exit())
            ::kill(process->pid(), SIGKILL);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(kills, killed_server, *boost::unit_test::timeout(3600))

BOOST_AUTO_TEST_CASE(it_is_there_again_whenever_it_is_killed)
{
    if (how.command.front().starts_with("http"))
        return; // it can't be killed here
    BOOST_REQUIRE(wanted_kills() > 0);
    std::shared_ptr<mcp::client> now = ready();
    const server_facts facts = facts_of(how.server, now->era());
    if (facts.has_log_levels)
        BOOST_TEST(!run(now->set_log_level(mcp::log_level::warning)).failed());
    if (facts.has_subscriptions)
        BOOST_TEST(!run(now->subscribe(facts.resource)).failed());
    now->set_roots({{"file:///srv/other", "other"}});
    for (int i = 0; i != wanted_kills(); ++i) {
        const auto slow = begin(now->call_tool(facts.slow.tool, facts.slow.arguments));
        const auto also = begin(now->call_tool(facts.text.tool, facts.text.arguments));
        if (i % 2 == 0) // else before anything was sent
            run_until([&] { return also.has_ended(); });
        const int starts = static_cast<int>(tools->status().starts);
        kill();
        run_until([&] { return slow.has_ended() && also.has_ended(); });
        BOOST_TEST(slow.failed() == killed);
        BOOST_TEST((!also.failed() || also.failed() == killed));
        BOOST_TEST(run(now->ping()).failed() == killed);
        if (i % 4 == 3) { // in the handshake, too, or at another moment of the start
            run_until([&] { return static_cast<int>(tools->status().starts) > starts; });
            kill();
        }
        tools_changed = 0;
        updated.clear();
        now = ready();
        BOOST_TEST(tools_changed >= 1);
        call(*now, facts.text);
        repeat_until([&] { // some ask for the roots a moment later
            const auto told = run(now->call_tool(facts.roots.tool, facts.roots.arguments));
            return !told.failed() && contains(told.outcome()->text(), "file:///srv/other");
        });
        if (!facts.has_subscriptions)
            continue;
        const auto before = std::count(updated.begin(), updated.end(), facts.resource);
        BOOST_TEST(before >= 1);
        call(*now, facts.touch);
        run_until([&] { return std::count(updated.begin(), updated.end(), facts.resource) > before; });
    }
    const int last = process->pid();
    tools->stop();
    run_until([&] { return run_ended.has_value(); });
    BOOST_TEST(is_gone_soon(last));
}

BOOST_AUTO_TEST_SUITE_END()
