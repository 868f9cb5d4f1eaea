#include "mcp/client/supervised/restore_settings.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/joined_tasks.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace partyline::mcp {
namespace {

// So many requests are under way at a time.
constexpr std::size_t restored_at_a_time = 64;

bool is_over(const time_limit& limit)
{
    return limit.left() < steady_duration::zero();
}

// What else fails is no word of the server's about what it was told, and fails the start.
bool is_left_out(const error_code& failed, const time_limit& limit)
{
    if (failed == client_errc::not_subscribed)
        return true;
    return is_over(limit) && (failed == asio::error::operation_aborted || failed == errc::timeout);
}

void log_left_out(const supervised_client_options& how, const std::string& what, const std::exception& why)
{
    write_log(how.log, "the restarted MCP server " + what + ": " + exception_text(why));
}

task<bool> restore_one(task<void> asked, supervised_options_ptr how, std::string refusal, time_limit limit)
{
    try {
        co_await std::move(asked);
        co_return true;
    } catch (const rpc_error& why) {
        log_left_out(*how, refusal, why);
    } catch (const boost::system::system_error& why) {
        if (!is_left_out(why.code(), limit))
            throw;
        log_left_out(*how, refusal, why);
    }
    co_return false;
}

// False: the time is over.
task<bool> run_in_time(client_core_ptr of, std::vector<task<bool>> work, time_limit limit)
{
    try {
        task<std::vector<bool>> running = join_tasks(of, std::move(work), limit, "start_timeout is over");
        co_await std::move(running);
        co_return true;
    } catch (const boost::system::system_error& failed) {
        if (of->has_ended())
            throw failed_call(of->end_reason());
        if (failed.code() != errc::timeout || !is_over(limit))
            throw;
    }
    co_return false;
}

std::vector<std::string> missing_in(const lasting_settings::values& now, const lasting_settings::values& former)
{
    std::vector<std::string> missing;
    std::set_difference(former.subscriptions.begin(), former.subscriptions.end(), now.subscriptions.begin(),
                        now.subscriptions.end(), std::back_inserter(missing));
    return missing;
}

void tell_of_restart(client_core& of, const lasting_settings::values& former)
{
    of.tell_of_lists();
    const lasting_settings::values now = of.lasting().get();
    for (const std::string& uri : former.subscriptions)
        if (now.subscriptions.contains(uri))
            of.tell_of_resource(uri);
}

} // namespace

task<void> restore_settings(client_core_ptr of, supervised_options_ptr how, lasting_settings::values former)
{
    const time_limit limit(how->start_timeout);
    const lasting_settings::values now = of->lasting().get();
    const std::vector<std::string> uris = missing_in(now, former);
    std::vector<task<bool>> work;
    if (former.log_from && former.log_from != now.log_from)
        work.push_back(restore_one(set_log_level(of, *former.log_from), how, "does not take the log level", limit));
    for (auto next = uris.begin(); next != uris.end() || !work.empty();) {
        for (; next != uris.end() && work.size() != restored_at_a_time; ++next)
            work.push_back(restore_one(subscribe(of, *next), how, "is not subscribed to for " + *next, limit));
        task<bool> running = run_in_time(of, std::exchange(work, {}), limit);
        const bool is_in_time = co_await std::move(running);
        if (!is_in_time) {
            write_log(how->log, "the restarted MCP server has not taken all that the last one knew in start_timeout");
            break;
        }
    }
    if (of->takes_calls())
        tell_of_restart(*of, former);
}

} // namespace partyline::mcp
