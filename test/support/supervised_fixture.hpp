#pragma once

#include "support/child_fixture.hpp"
#include "support/outcome.hpp"
#include "support/scratch_directory.hpp"

#include <partyline/supervisor.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::test {

/// For tests of supervisors, whose servers are `faulty_server`s. Every wait is bounded, and delays are short.
struct supervised_fixture : child_fixture {
    static constexpr std::size_t always = std::numeric_limits<int>::max();

    scratch_directory scratch;
    supervisor_options options;
    std::vector<supervisor_status> changes;
    std::vector<std::string> log;
    std::optional<error_code> run_ended;
    std::optional<supervisor> server;

    supervised_fixture()
    {
        using namespace std::chrono_literals;
        options.restart.first_delay = 1ms;
        options.restart.factor = 1;
        options.restart.max_starts = 20;
        options.child.errors = child_stderr::capture;
        options.child.exit_wait = 20ms;
        options.child.term_wait = 20ms;
        options.session.close_timeout = 20ms;
        options.session.cancel_grace = 20ms;
        options.session.log = [this](std::string_view line) { log.emplace_back(line); };
        options.on_change = [this](const supervisor_status& now) { changes.push_back(now); };
    }

    std::vector<std::string> command(std::string fault, std::size_t starts) const
    {
        return {PARTYLINE_FAULTY_SERVER, scratch / "starts", std::to_string(starts), std::move(fault)};
    }
    supervisor& make(std::string fault = "none", std::size_t starts = always)
    {
        return server.emplace(context.get_executor(), command(std::move(fault), starts), options);
    }
    supervisor& run(std::string fault = "none", std::size_t starts = always)
    {
        make(std::move(fault), starts);
        server->async_run([this](error_code result) { run_ended = result; });
        return *server;
    }

    /// How many processes there were.
    std::size_t starts() const
    {
        std::error_code none;
        const auto size = std::filesystem::file_size(scratch / "starts", none);
        return none ? 0 : size;
    }
    bool was(supervisor_state state) const
    {
        return std::any_of(changes.begin(), changes.end(), [&](const auto& change) { return change.state == state; });
    }
    supervisor_state state() const { return server->status().state; }

    void run_until_state(supervisor_state wanted)
    {
        run_until([&] { return state() == wanted; });
    }
    error_code run_to_end()
    {
        run_until([&] { return run_ended.has_value(); });
        return *run_ended;
    }
    /// Begins a call, whose end `outcome` has.
    std::shared_ptr<outcome> begin(std::string method, call_params params = nullptr, call_options how = {})
    {
        const auto told = std::make_shared<outcome>();
        server->call(std::move(method), std::move(params),
                     std::move(how))([told](error_code failed, response reply) { told->take(failed, reply); });
        return told;
    }
    std::string finish(const std::shared_ptr<outcome>& call)
    {
        run_until([&] { return call->is_there(); });
        return call->text();
    }
    std::string call(std::string method, call_params params = nullptr)
    {
        return finish(begin(std::move(method), std::move(params)));
    }
};

} // namespace partyline::test
