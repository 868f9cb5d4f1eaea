#include "job.hpp"

#include "call/methods/method_list.hpp"
#include "call/output/reply_text.hpp"
#include "command_line/line_log.hpp"
#include "job_setup.hpp"
#include "lsp_handshake.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <string>
#include <utility>

#include <unistd.h>

namespace asio = boost::asio;

namespace call {
namespace {

using action = options::action;
using partyline::error_code;
using std::chrono::steady_clock;

} // namespace

job::job(options wanted)
    : wanted_(std::move(wanted)), status_output_(command_line::say_text, terminal_columns(STDERR_FILENO)),
      reporter_(make_reporter(wanted_, status_output_)), session_options_(session_options_for(wanted_, status_output_)),
      interruption_(context_, *reporter_, [this] { return cancel_all(); }), has_ended_(context_.get_executor())
{
    show_stderr(wanted_.server, status_output_);
    source_.emplace(source_of(wanted_, context_, *reporter_));
}

int job::run()
{
    return run_job(perform(), context_, interruption_, *reporter_, status_output_);
}

asio::awaitable<void> job::perform()
{
    server_.emplace(
        co_await open_connection(context_.get_executor(), wanted_.server, session_options_, wanted_.timeout));
    calls_.emplace(context_.get_executor(), *reporter_, wanted_.concurrency);
    converse();
    const bool is_ready = co_await begin_conversation();
    if (is_ready)
        co_await do_what_is_wanted();
    co_await end_conversation();
}

// No coroutine: gcc 12 miscompiles this switch where it stands, with co_await in it, in the block of an if.
asio::awaitable<void> job::do_what_is_wanted()
{
    switch (wanted_.what) {
    case action::notify: return notify();
    case action::batch: return make_batch();
    case action::list: return list();
    default: return make_calls();
    }
}

// False when there can be no calls.
asio::awaitable<bool> job::begin_conversation()
{
    if (wanted_.profile != server_profile::lsp)
        co_return true;
    const handshake_result failed =
        co_await initialize(server_->session, server_->child != nullptr, wanted_.timeout, cancel_question_.slot());
    is_introduced_ = !failed;
    if (failed && !interruption_.has_come())
        reporter_->tell_failure("the handshake failed: " + failed->method, failed->code, failed->reply,
                                exit_status::no_reply);
    co_return is_introduced_ && !interruption_.has_come();
}

asio::awaitable<void> job::make_calls()
{
    const auto begun = steady_clock::now();
    while (std::optional<request> next = co_await source_->next()) {
        co_await calls_->room();
        if (interruption_.has_come())
            break;
        calls_->start(std::move(*next), [this](const request& what, calls_in_flight::completion done) {
            server_->session.call(what.method, params_for(what), options_for(what.label))(std::move(done));
        });
    }
    co_await calls_->none_left();
    reporter_->finish(steady_clock::now() - begun);
}

asio::awaitable<void> job::make_batch()
{
    std::vector<request> requests = co_await source_->rest();
    if (has_ended_.is_set() || interruption_.has_come())
        co_return;
    partyline::call_batch all;
    for (const request& each : requests)
        all.call(each.method, params_for(each));
    const auto begun = steady_clock::now();
    partyline::call_options how = options_for({});
    auto [failed, replies] = co_await server_->session.batch(std::move(all), std::move(how))(
        asio::bind_cancellation_slot(cancel_question_.slot(), asio::as_tuple(asio::use_awaitable)));
    const auto latency = steady_clock::now() - begun;
    if (!replies)
        co_return reporter_->complain(failed.message(), exit_status::no_reply);
    for (std::size_t i = 0; i < replies->size() && !interruption_.has_come(); ++i)
        reporter_->take(requests.at(i), (*replies)[i].code(), (*replies)[i], latency);
}

asio::awaitable<void> job::list()
{
    partyline::call_options how = options_for({});
    auto [failed, reply] = co_await server_->session.call("rpc.discover", nullptr, std::move(how))(
        asio::bind_cancellation_slot(cancel_question_.slot(), asio::as_tuple(asio::use_awaitable)));
    if (!failed && reply)
        list_answer(*reply);
    else if (!interruption_.has_come())
        reporter_->tell_failure("rpc.discover", failed, reply,
                                failed ? exit_status::no_reply : exit_status::error_reply);
}

void job::list_answer(const partyline::json_text& answer)
try {
    const boost::json::value document = partyline::json_view::checked(answer.text()).to_value();
    if (lists_methods(document))
        reporter_->print_lines(list_methods(document));
    else
        reporter_->complain("rpc.discover: what is answered is no OpenRPC document: it has no array \"methods\"",
                            exit_status::error_reply);
} catch (const partyline::rpc_error& e) {
    reporter_->complain("rpc.discover: what is answered can't be read: " + error_words(e.error(), "rpc.discover"),
                        exit_status::error_reply);
}

asio::awaitable<void> job::notify()
{
    error_code failed;
    partyline::call_params params = params_for(wanted_.only);
    co_await server_->session.notify(wanted_.only.method,
                                     std::move(params))(asio::redirect_error(asio::use_awaitable, failed));
    if (failed)
        reporter_->complain(failed.message(), exit_status::no_reply);
}

partyline::call_options job::options_for(std::string label)
{
    partyline::call_options how;
    how.timeout(wanted_.timeout).idle_timeout(wanted_.idle_timeout);
    how.asks_progress(wanted_.asks_progress || wanted_.idle_timeout != duration::zero());
    if (wanted_.what != action::repeat)
        how.on_progress([this, label = std::move(label)](const boost::json::value& value) {
            status_output_.show_progress(read_progress(value), label);
        });
    return how;
}

void job::converse()
{
    server_->session.async_run([this](error_code why) { on_ended(why); });
}

asio::awaitable<void> job::end_conversation()
{
    is_closing_ = true;
    if (is_introduced_ && !has_ended_.is_set())
        co_await take_leave();
    server_->session.close();
    co_await has_ended_.async_wait(asio::use_awaitable);
}

// The calls have their replies, which is what the exit code tells.
asio::awaitable<void> job::take_leave()
{
    const handshake_result failed =
        co_await shut_down(server_->session, time_to_leave(wanted_), cancel_question_.slot());
    const bool had_ended = failed && failed->code == partyline::errc::session_closed; // why, the calls have told
    if (failed && !had_ended && !interruption_.has_come())
        reporter_->tell_failure(failed->method, failed->code, failed->reply, exit_status::all_answered);
}

// Whatever waits for a reply has failed by now, and was told. When everything has been answered, nobody minds how it
// ends.
void job::on_ended(error_code why)
{
    has_ended_.set();
    source_->stop();
    const bool is_settled = is_closing_ && wanted_.what != action::notify && !reporter_->has_failures();
    if (interruption_.has_come() || is_settled || (is_closing_ && !why))
        return;
    const bool has_exited = server_->child && why != partyline::errc::write_stalled; // else it was ended from here
    const auto exit = has_exited ? server_->child->exit() : std::nullopt;
    reporter_->tell_end(exit ? exit->message() : why ? why.message() : "the server ended the conversation");
}

// False when there is no server yet.
bool job::cancel_all()
{
    if (!server_)
        return false;
    source_->stop();
    calls_->cancel_all();
    cancel_question_.emit(asio::cancellation_type::all);
    return true;
}

} // namespace call
