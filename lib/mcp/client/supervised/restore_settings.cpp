#include "mcp/client/supervised/restore_settings.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/joined_tasks.hpp"
#include "session/log.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {
namespace {

// So many requests are under way at a time.
constexpr std::size_t restored_at_a_time = 64;

void log_refusal(const client_core& by, const supervised_client_options& how, const std::string& what,
                 const std::exception& why)
{
    if (by.takes_calls()) // else its end is what is told
        write_log(how.log, "the restarted MCP server " + what + ": " + exception_text(why));
}

task<bool> set_level_again(client_core_ptr of, supervised_options_ptr how, log_level level)
{
    try {
        task<void> setting = set_log_level(of, level);
        co_await std::move(setting);
        co_return true;
    } catch (const std::exception& why) {
        log_refusal(*of, *how, "does not take the log level", why);
    }
    co_return false;
}

task<bool> subscribe_again(client_core_ptr of, supervised_options_ptr how, std::string uri)
{
    try {
        task<void> subscribing = subscribe(of, uri);
        co_await std::move(subscribing);
        co_return true;
    } catch (const std::exception& why) {
        log_refusal(*of, *how, "is not subscribed to for " + uri, why);
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
    } catch (const failed_call& failed) {
        if (of->has_ended())
            throw failed_call(of->end_reason());
        if (failed.code() != errc::timeout)
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
        work.push_back(set_level_again(of, how, *former.log_from));
    for (auto next = uris.begin(); next != uris.end() || !work.empty();) {
        for (; next != uris.end() && work.size() != restored_at_a_time; ++next)
            work.push_back(subscribe_again(of, how, *next));
        task<bool> running = run_in_time(of, std::exchange(work, {}), limit);
        const bool is_in_time = co_await std::move(running);
        if (!is_in_time) {
            write_log(how->log, "the restarted MCP server has not taken all that the last one knew in start_timeout");
            break;
        }
    }
    tell_of_restart(*of, former);
}

} // namespace partyline::mcp
