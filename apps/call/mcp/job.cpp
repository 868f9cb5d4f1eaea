// The conversation from its beginning to its end.

#include "job.hpp"

#include "call/mcp/mcp_job.hpp"
#include "call/output/reply_text.hpp"
#include "call/output/shown_line.hpp"
#include "call/session/job_setup.hpp"
#include "client_setup.hpp"
#include "command_line/line_log.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/mcp/log_level.hpp>
#include <partyline/protocol/message.hpp>

#include <utility>

#include <unistd.h>

namespace asio = boost::asio;
namespace mcp = partyline::mcp;

namespace call {
namespace {

using action = options::action;
using partyline::error_code;

bool is_failed_tool(const partyline::json_text& result)
{
    partyline::message_reader reader{partyline::limits()};
    return result.text().starts_with('{') &&
           reader.find_member(partyline::json_view::checked(result.text()), "isError").text() == "true";
}

std::string log_line(const mcp::log_entry& entry)
{
    std::string line = "log " + std::string(to_string(entry.level));
    if (!entry.logger.empty())
        line += " " + entry.logger;
    return shown_line(line + ": " + entry.text());
}

} // namespace

mcp_job::mcp_job(options wanted)
    : wanted_(std::move(wanted)), status_output_(command_line::say_text, terminal_columns(STDERR_FILENO)),
      reporter_(make_reporter(wanted_, status_output_)),
      client_options_(client_options_for(wanted_, session_options_for(wanted_, status_output_))),
      roots_(roots_of(wanted_.mcp)), calls_(context_.get_executor(), *reporter_, wanted_.concurrency),
      interruption_(context_, *reporter_, [this] { return cancel_all(); })
{
    reporter_->judge_results(is_failed_tool);
    show_stderr(wanted_.server, status_output_);
    source_.emplace(source_of(wanted_, context_, *reporter_));
}

int mcp_job::run()
{
    return run_job(perform(), context_, interruption_, *reporter_, status_output_);
}

asio::awaitable<void> mcp_job::perform()
{
    make_client(co_await open_stream(context_.get_executor(), wanted_.server, wanted_.timeout));
    const bool is_ready = co_await begin_conversation();
    if (is_ready)
        co_await do_what_is_wanted();
    co_await end_conversation();
}

void mcp_job::make_client(server_stream over)
{
    child_ = over.child;
    client_.emplace(call::make_client(over, client_options_));
    client_->on_log([this](const mcp::log_entry& entry) { status_output_.say(log_line(entry)); });
    client_->on_ended([this](error_code why) { on_ended(why); });
    if (!roots_.empty())
        client_->set_roots(roots_);
    asker_ = answer_questions(*client_, wanted_, status_output_);
}

// False when there can be no calls.
asio::awaitable<bool> mcp_job::begin_conversation()
{
    const auto [failed, outcome] = co_await client_->start()(cancellable());
    const bool is_modern = wanted_.mcp.wanted_era == mcp_options::era::modern;
    if (!has_succeeded(outcome, is_modern ? "server/discover" : "initialize"))
        co_return false;
    has_begun_ = true;
    if (asker_)
        asker_->set_server_name(client_->server().info.name);
    const bool is_set = co_await set_log_level();
    co_return is_set && !interruption_.has_come();
}

asio::awaitable<bool> mcp_job::set_log_level()
{
    const std::optional<mcp::log_level> level = mcp::find_log_level(wanted_.mcp.log_level);
    if (!level)
        co_return true;
    const auto [failed, outcome] = co_await client_->set_log_level(*level)(cancellable());
    co_return has_succeeded(outcome, "logging/setLevel");
}

// No coroutine: gcc 12 miscompiles such a switch with co_await in it.
asio::awaitable<void> mcp_job::do_what_is_wanted()
{
    switch (wanted_.what) {
    case action::list: return list();
    case action::info: return tell_info();
    case action::call: return make_call();
    default: return make_calls();
    }
}

// A server that ended while more was to be asked is told of, unless that is what calls have failed with.
asio::awaitable<void> mcp_job::end_conversation()
{
    if (!has_ended_)
        co_return co_await close();
    if (!has_begun_ || interruption_.has_come() || reporter_->has_failures())
        co_return;
    const auto exit = child_ ? child_->exit() : std::nullopt;
    reporter_->tell_end(exit ? exit->message() : end_ ? end_.message() : "the server ended the conversation");
}

// When everything has been answered, nobody minds how it ends.
asio::awaitable<void> mcp_job::close()
{
    co_await client_->close()(asio::as_tuple(asio::use_awaitable));
}

// False when there is no client yet.
bool mcp_job::cancel_all()
{
    if (!client_)
        return false;
    source_->stop();
    calls_.cancel_all();
    cancel_question_.emit(asio::cancellation_type::all);
    return true;
}

// Whatever waits for an answer fails, and tells.
void mcp_job::on_ended(error_code why)
{
    has_ended_ = true;
    end_ = why;
    source_->stop();
}

void mcp_job::tell_failure(error_code failed, const partyline::response& outcome, const std::string& method)
{
    if (interruption_.has_come())
        return;
    if (method.empty())
        return reporter_->take(wanted_.only, failed, outcome, {});
    const std::string what = has_begun_ ? method : "the handshake failed";
    if (const partyline::error_object* const error = outcome.error())
        reporter_->complain(what + ": " + error_words(*error, method),
                            has_begun_ ? exit_status::error_reply : exit_status::no_reply);
    else
        reporter_->tell_failure(what, failed, outcome, exit_status::no_reply);
}

int run_mcp_job(options wanted)
{
    return mcp_job(std::move(wanted)).run();
}

} // namespace call
