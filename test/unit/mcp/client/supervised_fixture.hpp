#pragma once

#include "scripted_peer.hpp"

#include <partyline/mcp/supervised_client.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

using ready_client = begun<std::shared_ptr<mcp::client>>;

/// A supervised client, and the servers that the test plays, one for each start. Delays are short.
struct supervised_client_fixture {
    boost::asio::io_context context{1};
    std::deque<scripted_peer> servers;
    mcp::client_options client_options;
    mcp::supervised_client_options options;
    std::function<void(mcp::client&)> prepare = [](mcp::client&) {}; // sets the handlers; may throw
    std::size_t starts = 0;
    std::vector<std::string> changes;
    std::vector<std::string> logged;
    std::vector<std::string> heard; // by the handlers that `hear()` sets
    std::optional<error_code> run_ended;
    std::optional<mcp::supervised_client> notes;

    supervised_client_fixture()
    {
        using namespace std::chrono_literals;
        client_options.era = mcp::wanted_era::automatic;
        client_options.session.log = [this](std::string_view line) { logged.emplace_back(line); };
        client_options.session.close_timeout = 20ms;
        client_options.session.cancel_grace = 20ms;
        client_options.listen_pause = 1h;
        options.log = client_options.session.log;
        options.restart.first_delay = 1ms;
        options.restart.factor = 1;
        options.restart.max_starts = 20;
        options.on_change = [this](const supervisor_status& now) { changes.push_back(name(now.state)); };
    }
    ~supervised_client_fixture()
    {
        notes.reset();
        settle();
    }

    static std::string name(supervisor_state state)
    {
        switch (state) {
        case supervisor_state::idle: return "idle";
        case supervisor_state::starting: return "starting";
        case supervisor_state::running: return "running";
        case supervisor_state::ending: return "ending";
        case supervisor_state::waiting: return "waiting";
        case supervisor_state::ended: return "ended";
        }
        return "?";
    }

    mcp::client make_client()
    {
        ++starts;
        mcp::client made(servers.emplace_back(context).connect(), client_options);
        prepare(made);
        return made;
    }
    mcp::supervised_client& make()
    {
        return notes.emplace(context.get_executor(), [this] { return make_client(); }, options);
    }
    void run()
    {
        make();
        run_made();
    }
    void run_made()
    {
        notes->async_run([this](error_code result) { run_ended = result; });
    }

    /// The server of this start, which is waited for; counted from 0.
    scripted_peer& server(std::size_t start)
    {
        run_until([&] { return servers.size() > start; });
        return servers.at(start);
    }
    ready_client begin_ready()
    {
        ready_client asked;
        notes->ready()(asked.token());
        return asked;
    }
    std::shared_ptr<mcp::client> ready()
    {
        ready_client asked = begin_ready();
        run_until([&] { return asked.has_ended(); });
        BOOST_REQUIRE_MESSAGE(!asked.failed(), asked.failed().message());
        return *asked.outcome();
    }
    /// What the wait for a client fails with.
    error_code failure_of_ready()
    {
        ready_client asked = begin_ready();
        run_until([&] { return asked.has_ended(); });
        return asked.failed();
    }
    std::shared_ptr<mcp::client> start_modern(std::size_t start = 0, std::string_view capabilities = "{}")
    {
        server(start).greet_modern(capabilities);
        return ready();
    }
    std::shared_ptr<mcp::client> start_legacy(std::size_t start = 0, std::string_view capabilities = "{}")
    {
        server(start).greet_legacy(capabilities);
        return ready();
    }
    error_code run_to_end()
    {
        run_until([&] { return run_ended.has_value(); });
        return *run_ended;
    }

    void hear(mcp::client& by)
    {
        by.on_tools_changed([this] { heard.push_back("tools"); });
        by.on_prompts_changed([this] { heard.push_back("prompts"); });
        by.on_resources_changed([this] { heard.push_back("resources"); });
        by.on_resource_updated([this](const std::string& uri) { heard.push_back(uri); });
    }
    bool has_logged(std::string_view words) const
    {
        return std::any_of(logged.begin(), logged.end(),
                           [&](const std::string& line) { return line.find(words) != line.npos; });
    }
    supervisor_state state() const { return notes->status().state; }
    void run_until_state(supervisor_state wanted)
    {
        run_until([&] { return state() == wanted; });
    }
    void run_until(const std::function<bool()>& done) { test::run_until(context, done); }
    void settle() { test::settle(context); }
};

} // namespace partyline::test
