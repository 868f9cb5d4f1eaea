#include "mcp_extensions/tasks/client_poll_rules.hpp"

#include "mcp_extensions/tasks/client_task_report.hpp"

#include <partyline/mcp/client/client_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t longest_key = 1000; // so that what is remembered is bounded

std::optional<double> retry_after_ms(const error_object& refusal)
{
    const json::object* const data = refusal.data ? refusal.data->if_object() : nullptr;
    const json::value* const said = data ? data->if_contains("retry_after_ms") : nullptr;
    return said && said->is_number() ? std::optional(said->to_number<double>()) : std::nullopt;
}

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

std::chrono::steady_clock::duration retry_interval(const client_tasks_options& by, std::optional<double> said_ms,
                                                   const error_object& refusal)
{
    const auto polling = poll_interval(by, said_ms);
    const std::optional<double> after = retry_after_ms(refusal);
    return after ? std::max(polling, poll_interval(by, after)) : polling;
}

bool is_refused_for_now(const error_object& refusal) noexcept
{
    return refusal.code == partyline::error_codes::server_busy ||
           refusal.code == partyline::error_codes::too_many_requests;
}

bool is_lost_on_the_way(error_code why) noexcept
{
    if (why.category() == client_category() || why == asio::error::operation_aborted)
        return false;
    if (why.category() != partyline_category())
        return true;
    switch (static_cast<errc>(why.value())) {
    case errc::timeout:
    case errc::message_too_large:
    case errc::bad_params:
    case errc::too_many_calls:
    case errc::refused: return false;
    default: return true;
    }
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
