#include "errand.hpp"

#include "lsp_handshake.hpp"
#include "message_watch.hpp"
#include "method_list.hpp"
#include "reply_text.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <utility>

#include <unistd.h>

namespace asio = boost::asio;

namespace call {
namespace {

using action = options::action;
using partyline::error_code;
using std::chrono::steady_clock;

std::unique_ptr<reporter> make_reporter(const options& wanted, screen& told)
{
    const result_style style = style_of_output(wanted.color);
    switch (wanted.what) {
    case action::repeat: return std::make_unique<summary_reporter>(std::cout, style, told);
    case action::call_file:
    case action::batch: return std::make_unique<list_reporter>(std::cout, style, told);
    default: return std::make_unique<single_reporter>(std::cout, style, told);
    }
}

} // namespace

errand::errand(options wanted)
    : wanted_(std::move(wanted)), screen_(std::cerr, terminal_columns(STDERR_FILENO)),
      reporter_(make_reporter(wanted_, screen_)), signals_(context_), patience_(context_),
      ended_(context_, asio::steady_timer::time_point::max())
{
    const watch_options watched{wanted_.trace_file, wanted_.shows_notifications};
    session_options_.on_message = watch_messages(watched, wanted_.bounds, screen_);
    session_options_.bounds = wanted_.bounds;
    session_options_.framing = wanted_.framing;
    session_options_.executor_is_serial = true;
    if (wanted_.what != action::notify)
        session_options_.drain_timeout = time_to_leave(); // for what nobody has read when all is answered or given up
    else if (wanted_.timeout != duration::zero())
        session_options_.write_stall = wanted_.timeout; // there is no reply that could be late
    else
        session_options_.drain_timeout = duration::max();
    session_options_.log = [this](std::string_view line) { screen_.say("partyline-call: " + std::string(line)); };
    wanted_.server.child.on_stderr_line = [this](std::string_view line) { screen_.say(partyline::printable(line)); };
    if (wanted_.calls_file.empty())
        source_.emplace(wanted_.only, wanted_.repeat);
    else
        source_.emplace(context_.get_executor(), wanted_.calls_file, wanted_.bounds.message_bytes, *reporter_);
}

int errand::run()
{
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    watch_signals();
    asio::co_spawn(context_, perform(), [this](std::exception_ptr failed) {
        if (failed)
            std::rethrow_exception(failed);
        context_.stop();
    });
    try {
        context_.run();
    } catch (const std::exception& e) {
        reporter_->complain(e.what(), verdict::no_reply);
    }
    screen_.clear_bar();
    return reporter_->exit_code();
}

asio::awaitable<void> errand::perform()
{
    server_.emplace(
        co_await open_connection(context_.get_executor(), wanted_.server, session_options_, wanted_.timeout));
    calls_.emplace(server_->session, *reporter_, wanted_.concurrency);
    converse();
    const bool is_ready = co_await begin_conversation();
    if (is_ready)
        co_await do_what_is_wanted();
    co_await end_conversation();
}

// No coroutine: gcc 12 miscompiles this switch where it stands, with co_await in it, in the block of an if.
asio::awaitable<void> errand::do_what_is_wanted()
{
    switch (wanted_.what) {
    case action::notify: return notify();
    case action::batch: return make_batch();
    case action::list: return list();
    default: return make_calls();
    }
}

// False when there can be no calls.
asio::awaitable<bool> errand::begin_conversation()
{
    if (!wanted_.is_language_server)
        co_return true;
    const handshake_result failed =
        co_await initialize(server_->session, server_->child != nullptr, wanted_.timeout, cancel_question_.slot());
    is_introduced_ = !failed;
    if (failed && !is_interrupted_)
        reporter_->tell_failure("the handshake failed: " + failed->method, failed->code, failed->reply,
                                verdict::no_reply);
    co_return is_introduced_ && !is_interrupted_;
}

asio::awaitable<void> errand::make_calls()
{
    const auto begun = steady_clock::now();
    while (std::optional<request> next = co_await source_->next()) {
        co_await calls_->room();
        if (is_interrupted_)
            break;
        partyline::call_options how = options_for(next->label);
        calls_->start(std::move(*next), std::move(how));
    }
    co_await calls_->none_left();
    reporter_->finish(steady_clock::now() - begun);
}

asio::awaitable<void> errand::make_batch()
{
    std::vector<request> requests = co_await source_->rest();
    if (has_ended_ || is_interrupted_)
        co_return;
    partyline::call_batch all;
    for (const request& each : requests)
        all.call(each.method, params_for(each));
    const auto begun = steady_clock::now();
    partyline::call_options how = options_for({});
    auto [failed, replies] = co_await server_->session.async_batch(
        std::move(all), std::move(how),
        asio::bind_cancellation_slot(cancel_question_.slot(), asio::as_tuple(asio::use_awaitable)));
    const auto latency = steady_clock::now() - begun;
    for (std::size_t i = 0; i < replies.size() && !is_interrupted_; ++i)
        reporter_->take(requests.at(i), replies[i].code(), replies[i], latency);
    if (replies.empty() && failed)
        reporter_->complain(failed.message(), verdict::no_reply);
}

asio::awaitable<void> errand::list()
{
    partyline::call_options how = options_for({});
    auto [failed, reply] = co_await server_->session.async_call(
        "rpc.discover", nullptr, std::move(how),
        asio::bind_cancellation_slot(cancel_question_.slot(), asio::as_tuple(asio::use_awaitable)));
    if (!failed && reply)
        list_answer(*reply);
    else if (!is_interrupted_)
        reporter_->tell_failure("rpc.discover", failed, reply, failed ? verdict::no_reply : verdict::error_reply);
}

void errand::list_answer(const partyline::json_text& answer)
try {
    const boost::json::value document = partyline::json_view::checked(answer.text()).to_value();
    if (lists_methods(document))
        reporter_->print_lines(list_methods(document));
    else
        reporter_->complain("rpc.discover: what is answered is no OpenRPC document: it has no array \"methods\"",
                            verdict::error_reply);
} catch (const partyline::rpc_error& e) {
    reporter_->complain("rpc.discover: what is answered can't be read: " + error_words(e.error(), "rpc.discover"),
                        verdict::error_reply);
}

asio::awaitable<void> errand::notify()
{
    error_code failed;
    partyline::call_params params = params_for(wanted_.only);
    co_await server_->session.async_notify(wanted_.only.method, std::move(params),
                                           asio::redirect_error(asio::use_awaitable, failed));
    if (failed)
        reporter_->complain(failed.message(), verdict::no_reply);
}

partyline::call_options errand::options_for(std::string label)
{
    partyline::call_options how;
    how.timeout(wanted_.timeout).idle_timeout(wanted_.idle_timeout);
    how.asks_progress(wanted_.asks_progress || wanted_.idle_timeout != duration::zero());
    if (wanted_.what != action::repeat)
        how.on_progress([this, label = std::move(label)](const boost::json::value& value) {
            screen_.show_progress(read_progress(value), label);
        });
    return how;
}

void errand::converse()
{
    server_->session.async_run([this](error_code why) { on_ended(why); });
}

asio::awaitable<void> errand::end_conversation()
{
    is_closing_ = true;
    if (is_introduced_ && !has_ended_)
        co_await take_leave();
    server_->session.close();
    error_code woken;
    while (!has_ended_)
        co_await ended_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

duration errand::time_to_leave() const noexcept
{
    constexpr duration longest = std::chrono::seconds(5);
    return wanted_.timeout == duration::zero() ? longest : std::min(longest, wanted_.timeout);
}

// The calls have their replies, which is what the exit code tells.
asio::awaitable<void> errand::take_leave()
{
    const handshake_result failed = co_await shut_down(server_->session, time_to_leave(), cancel_question_.slot());
    const bool had_ended = failed && failed->code == partyline::errc::session_closed; // why, the calls have told
    if (failed && !had_ended && !is_interrupted_)
        reporter_->tell_failure(failed->method, failed->code, failed->reply, verdict::all_answered);
}

// Whatever waits for a reply has failed by now, and was told. When everything has been answered, nobody minds how it
// ends.
void errand::on_ended(error_code why)
{
    has_ended_ = true;
    ended_.cancel();
    source_->stop();
    const bool is_settled = is_closing_ && wanted_.what != action::notify && !reporter_->has_failures();
    if (is_interrupted_ || is_settled || (is_closing_ && !why))
        return;
    const bool has_exited = server_->child && why != partyline::errc::write_stalled; // else it was ended from here
    const auto exit = has_exited ? server_->child->exit() : std::nullopt;
    reporter_->tell_end(exit ? exit->message() : why ? why.message() : "the server ended the conversation");
}

void errand::watch_signals()
{
    signals_.async_wait([this](error_code stopped, int number) {
        if (stopped)
            return;
        watch_signals();
        on_signal(number);
    });
}

// The first one cancels what is in flight and leaves in order, within a time; the second one, or that time, at once.
void errand::on_signal(int number)
{
    reporter_->note_signal(number);
    if (std::exchange(is_interrupted_, true) || !server_)
        return context_.stop();
    source_->stop();
    calls_->cancel_all();
    cancel_question_.emit(asio::cancellation_type::all);
    patience_.expires_after(std::chrono::seconds(3));
    patience_.async_wait([this](error_code stopped) {
        if (stopped)
            return;
        reporter_->complain("the server takes too long to end", verdict::no_reply);
        context_.stop();
    });
}

} // namespace call
