#include "job_setup.hpp"

#include "message_watch.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;

namespace call {
namespace {

std::unique_ptr<reporter> new_reporter(const options& wanted, status_output& told)
{
    const result_style style = style_of_output(wanted.color);
    switch (wanted.what) {
    case options::action::repeat: return std::make_unique<summary_reporter>(std::cout, style, told);
    case options::action::call_file:
    case options::action::batch: return std::make_unique<list_reporter>(std::cout, style, told);
    default: return std::make_unique<single_reporter>(std::cout, style, told);
    }
}

} // namespace

std::unique_ptr<reporter> make_reporter(const options& wanted, status_output& told)
{
    std::unique_ptr<reporter> made = new_reporter(wanted, told);
    if (!wanted.server.command.empty())
        made->expect_output_of_child();
    return made;
}

duration time_to_leave(const options& wanted) noexcept
{
    constexpr duration longest = std::chrono::seconds(5);
    return wanted.timeout == duration::zero() ? longest : std::min(longest, wanted.timeout);
}

partyline::session_options session_options_for(const options& wanted, status_output& told)
{
    partyline::session_options how;
    how.on_message = watch_messages({wanted.trace_file, wanted.shows_notifications}, wanted.bounds, told);
    if (wanted.signs_by)
        how.around_calls.add(partyline::access::sign_calls(*wanted.signs_by));
    how.bounds = wanted.bounds;
    how.framing = wanted.framing;
    how.executor_is_serial = true;
    if (wanted.what != options::action::notify)
        how.drain_timeout = time_to_leave(wanted); // for what nobody has read when all is answered or given up
    else if (wanted.timeout != duration::zero())
        how.write_stall = wanted.timeout; // there is no reply that could be late
    else {
        how.drain_timeout = duration::max();
        how.write_stall = duration::zero(); // for ever, also for what a child process does not read
    }
    how.log = [&told](std::string_view line) { told.say("partyline-call: " + std::string(line)); };
    return how;
}

request_source source_of(const options& wanted, asio::io_context& context, reporter& told)
{
    if (wanted.calls_file.empty())
        return {wanted.only, wanted.repeat};
    return {context.get_executor(), wanted.calls_file, wanted.bounds.message_bytes, told};
}

int run_job(asio::awaitable<void> job, asio::io_context& context, interruption& by_signal, reporter& told,
            status_output& shown)
{
    by_signal.watch();
    asio::co_spawn(context, std::move(job), [&context](std::exception_ptr failed) {
        if (failed)
            std::rethrow_exception(failed);
        context.stop();
    });
    try {
        context.run();
    } catch (const std::exception& e) {
        told.complain(partyline::exception_text(e), exit_status::no_reply);
    }
    shown.clear_bar();
    return told.exit_code();
}

void show_stderr(destination& server, status_output& told)
{
    server.child.on_stderr_line = [&told](std::string_view line) { told.say(partyline::printable(line)); };
}

} // namespace call
