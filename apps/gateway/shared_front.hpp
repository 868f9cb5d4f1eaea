#pragma once

#include "command_line/observer.hpp"
#include "gateway/bus_servers.hpp"
#include "gateway/listed_tools.hpp"

#include <partyline/fleet/front.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace gateway {

/// What the clients of a front share: the way to the workers, and what is known of their tools. Each thread has one.
///
/// Thread safety: everything on the executor.
class shared_front : public std::enable_shared_from_this<shared_front> {
public:
    /// `settings` live longer.
    shared_front(boost::asio::any_io_executor executor, partyline::fleet::front calls, const front_settings& settings);

    partyline::fleet::front& calls() noexcept { return calls_; }
    const command_line::call_observer& observe() const noexcept { return settings_.observe; }
    const std::shared_ptr<listed_tools>& tools() const noexcept { return tools_; }
    /// The servers of what lasts longer than a call.
    bus_servers& lasting() noexcept { return lasting_; }

    /// `tools/list` was answered so.
    void note_list(const partyline::json_text& result);
    /// Whether a request of MCP may run twice, as far as that is known. Where no list of tools was seen yet, workers
    /// are asked for it, for later calls.
    bool may_repeat(std::string_view method, const partyline::json_text& params);

private:
    void ask_for_tools(std::size_t page, const std::string& cursor);
    void on_tools(std::size_t page, const partyline::response& reply);

    partyline::fleet::front calls_;
    const front_settings& settings_;
    std::shared_ptr<listed_tools> tools_;
    bool has_list_ = false; // or is being asked for it
    bus_servers lasting_;
};

} // namespace gateway
