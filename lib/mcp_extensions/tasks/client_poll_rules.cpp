#include "mcp_extensions/tasks/client_poll_rules.hpp"

#include "mcp_extensions/tasks/client_task_report.hpp"

#include <partyline/mcp/client/client_errc.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t longest_key = 1000; // so that what is remembered is bounded

} // namespace

void check_intervals(const client_tasks_options& options)
{
    using duration = std::chrono::steady_clock::duration;
    if (options.min_poll_interval <= duration::zero() || options.poll_interval < options.min_poll_interval ||
        options.max_poll_interval < options.poll_interval || options.max_poll_interval > std::chrono::hours(24))
        throw std::invalid_argument("client_tasks_options: expected 0 < min_poll_interval <= poll_interval <= "
                                    "max_poll_interval <= 24 hours");
}

std::chrono::steady_clock::duration poll_interval(const client_tasks_options& by, std::optional<double> said_ms)
{
    using milliseconds = std::chrono::duration<double, std::milli>;
    if (!said_ms)
        return by.poll_interval;
    const milliseconds said(*said_ms);
    if (said <= by.min_poll_interval)
        return by.min_poll_interval;
    if (said >= by.max_poll_interval)
        return by.max_poll_interval;
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(said);
}

bool is_refused_for_now(const error_object& by) noexcept
{
    return by.code == partyline::error_codes::server_busy || by.code == partyline::error_codes::too_many_requests;
}

call_time::call_time(clock::duration most)
{
    if (most != clock::duration::zero() && most < std::chrono::hours(24 * 365))
        end_ = clock::now() + most;
}

bool call_time::is_over() const
{
    return end_ && clock::now() >= *end_;
}

call_time::clock::duration call_time::left() const
{
    if (!end_)
        return clock::duration::zero();
    const clock::duration rest = *end_ - clock::now();
    return rest > clock::duration::zero() ? rest : clock::duration(-1);
}

call_time::clock::time_point call_time::end_of(clock::duration wait) const
{
    const clock::time_point then = clock::now() + wait;
    return end_ ? std::min(then, *end_) : then;
}

json::object asked_keys::take_new(json::object questions)
{
    json::object fresh;
    for (auto& [key, question] : questions) {
        if (known_.contains(std::string_view(key)))
            continue;
        if (key.size() > longest_key)
            refuse_report("tasks/get", "inputRequests", "keys of 1000 bytes at most", "a longer one");
        if (known_.size() >= most_)
            throw boost::system::system_error(client_errc::too_many_rounds,
                                              "tasks/get: more than " + std::to_string(most_) + " inputRequests");
        known_.emplace(key);
        fresh.emplace(key, std::move(question));
    }
    return fresh;
}

} // namespace partyline::mcp
