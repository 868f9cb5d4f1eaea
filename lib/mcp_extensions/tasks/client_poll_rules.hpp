#pragma once

#include <partyline/mcp_extensions/client_tasks.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace partyline::mcp {

/// Throws `std::invalid_argument` for intervals that are out of order.
void check_intervals(const client_tasks_options& options);

/// How long the client waits for the answer to `tasks/cancel`: a server that gives none must not hold up
/// `client::close`.
inline constexpr std::chrono::seconds cancel_timeout(1);

/// How long the client waits before it asks for the status again; `said_ms` is the server's `pollIntervalMs`.
std::chrono::steady_clock::duration poll_interval(const client_tasks_options& by, std::optional<double> said_ms);
/// How long the client waits before it repeats a request that was refused for now: the poll interval, or what the
/// error says (`retry_after_ms` in its data) where that is longer; `max_poll_interval` at most.
std::chrono::steady_clock::duration retry_interval(const client_tasks_options& by, std::optional<double> said_ms,
                                                   const error_object& refusal);

/// Whether the server has done nothing of what was asked, and may be asked again later: the server is busy, or the
/// client's quota is used up.
bool is_refused_for_now(const error_object& refusal) noexcept;

/// Whether a request was lost on the way to the server or back, so that neither side has given up the task. Not so
/// where the caller or the call's time has ended the request, or where the client itself has refused to send it or to
/// take its answer.
bool is_lost_on_the_way(error_code why) noexcept;

/// The time that a call has, and what is left of it; 0: for ever.
class call_time {
public:
    using clock = std::chrono::steady_clock;

    explicit call_time(clock::duration most);

    bool is_over() const;
    /// As `call_hooks::timeout` has it: 0 for ever, and negative when it is over.
    clock::duration left() const;
    /// Until when to wait for so long.
    clock::time_point end_of(clock::duration wait) const;

private:
    std::optional<clock::time_point> end_;
};

/// Which questions a task has asked: a server shows each of them until it knows the answer, and longer.
class asked_keys {
public:
    explicit asked_keys(std::size_t most) noexcept : most_(most) {}

    /// Those that were not asked before; from now on they were. Throws `system_error`: client_errc::too_many_rounds,
    /// and client_errc::bad_result for keys that are too long to be remembered.
    boost::json::object take_new(boost::json::object questions);

private:
    std::size_t most_;
    std::set<std::string, std::less<>> known_;
};

} // namespace partyline::mcp
