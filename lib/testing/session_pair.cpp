#include "testing/session_pair.hpp"

#include "session/calls/make_outgoing.hpp"
#include "session/check_options.hpp"
#include "session_access.hpp"

#include <partyline/session/detail/serial_executor.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

const session_options& checked(const session_options& given)
{
    check_options(given);
    return given;
}

// The client can send what the server's limit refuses.
std::size_t beyond(std::size_t servers, std::size_t own)
{
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
    return std::max(own, std::min(servers, most) * 2);
}

// Whatever the server may say.
limits client_limits(const limits& server)
{
    limits made;
    made.message_bytes = beyond(server.message_bytes, made.message_bytes);
    made.depth = beyond(server.depth, made.depth);
    made.id_bytes = beyond(server.id_bytes, made.id_bytes);
    made.header_bytes = beyond(server.header_bytes, made.header_bytes);
    for (const limit_range& range : limit_ranges())
        made.*range.member = std::min(made.*range.member, range.most);
    return made;
}

std::string in_quotes(const std::string& method)
{
    return "\"" + method + "\"";
}

} // namespace

session_pair::session_pair(const served_methods& methods, client_options options)
    : loop(options.context), methods_(methods.for_session(loop.context().get_executor(), options.server)),
      recorder_(std::make_shared<recorder>(*checked(options.server).profile, client_limits(options.server.bounds))),
      ends_(memory_stream::make_pair(loop.context().get_executor())), stream_(std::move(ends_.second)),
      server_(make_server(options))
{
    loop.time_limit = options.time_limit;
    const asio::any_io_executor executor = loop.context().get_executor();
    client_ = std::make_shared<stream_driver>(
        executor, std::make_unique<partyline::detail::stream_adapter<test_stream>>(stream_, executor),
        std::make_shared<const method_table>(std::move(options.methods)), client_session_options(options.server));
    start();
}

session session_pair::make_server(const client_options& how)
{
    sent_fields fields;
    for (const auto& [name, value] : how.http_fields)
        add_field(fields, name, value);
    sender_facts sender;
    sender.set_fields(std::move(fields));
    memory_stream& end = ends_.first;
    const asio::any_io_executor executor = partyline::detail::serial_executor(end.get_executor(), how.server);
    auto stream = std::make_unique<partyline::detail::stream_adapter<memory_stream>>(std::move(end), executor);
    auto driver = std::make_shared<stream_driver>(executor, std::move(stream), methods_, how.server);
    driver->set_sender(std::move(sender));
    return partyline::detail::session_access::make(std::move(driver));
}

session_options session_pair::client_session_options(const session_options& server) const
{
    session_options made;
    made.profile = &recorder_->protocol;
    made.framing = server.framing;
    made.log = server.log;
    made.bounds = client_limits(server.bounds);
    made.on_message = [records = recorder_](const message_event& event) {
        records->on_message(event);
        return std::optional<error_object>();
    };
    return made;
}

void session_pair::start()
{
    server_.async_run([ending = server_ending_](error_code why) { *ending = why; });
    asio::any_completion_handler<void(error_code)> told = [ending = client_ending_](error_code why) { *ending = why; };
    asio::post(loop.context(),
               [driver = client_, done = completion<error_code>(std::move(told), client_->get_executor())]() mutable {
                   driver->start(std::move(done));
               });
}

session_pair::~session_pair()
{
    try {
        server_.stop();
        client_->stop(asio::error::operation_aborted);
        loop.try_run_until([this] { return has_ended(); });
        loop.try_run_until_idle();
    } catch (...) { // a destructor has nobody to tell; what still runs goes away with the loop
    }
}

std::shared_ptr<detail::call_record> session_pair::start_call(std::string method, const call_params& params)
{
    const auto call = std::make_shared<detail::call_record>();
    call->method = method;
    call->owner = weak_from_this();
    call_options how;
    how.asks_progress(!recorder_->protocol.id_is_progress_token);
    how.on_progress([call](const boost::json::value& value) { call->progress.push_back(value); });
    const auto done = [call, records = recorder_](error_code failed, response reply) {
        records->calls.erase(call->id);
        call->reply.emplace(failed ? response(response::failure{failed, reply.details()}) : std::move(reply));
    };
    error_code failed;
    const auto made = make_call(std::move(method), params, std::move(how),
                                asio::bind_cancellation_slot(call->cancel.slot(), done), client_->origin(), failed);
    client_->launch(made, failed);
    call->id = made->first_id;
    if (call->id != 0)
        recorder_->calls.emplace(call->id, call->method);
    return call;
}

// The peer's answer to the cancel is of interest, so where there is one the call goes on.
void session_pair::cancel(detail::call_record& call)
{
    if (call.reply || call.id == 0)
        return;
    const profile& protocol = recorder_->protocol;
    if (!protocol.answers_cancelled)
        return call.cancel.emit(asio::cancellation_type::all);
    byte_buffer params;
    protocol.write_cancel(params, std::to_string(call.id), "cancelled by the client");
    error_code failed;
    const auto made = make_notification(
        std::string(protocol.cancel_method), json_text(std::string(params.view())), [](error_code) {},
        client_->origin(), failed);
    client_->launch(made, failed);
}

void session_pair::notify(std::string method, const call_params& params)
{
    const auto sent = std::make_shared<std::optional<error_code>>();
    const std::string what = "the notification " + in_quotes(method);
    error_code failed;
    const auto made = make_notification(
        std::move(method), params, [sent](error_code why) { *sent = why; }, client_->origin(), failed);
    client_->launch(made, failed);
    if (!loop.try_run_until([&] { return sent->has_value(); }))
        throw_timed_out(what + " could not be sent");
    if (**sent)
        throw boost::system::system_error(**sent, what + ending_text());
    run_until_idle();
}

void session_pair::wait_for(const detail::call_record& call)
{
    if (!loop.try_run_until([&] { return call.reply.has_value(); }))
        throw_timed_out(in_quotes(call.method) + " has not been answered");
    if (call.reply->code())
        loop.try_run_until_idle(); // how the server has ended is known then
}

void session_pair::run_until(const std::function<bool()>& predicate)
{
    if (!loop.try_run_until(predicate))
        throw_timed_out("what run_until waits for has not come to pass");
}

void session_pair::run_until_idle()
{
    if (!loop.try_run_until_idle())
        throw_timed_out("what is ready to run has not come to an end");
}

error_code session_pair::end()
{
    if (!*server_ending_) {
        run_until_idle();
        flush();
        stream_.end_sending();
        if (!loop.try_run_until([this] { return server_ending_->has_value(); }))
            throw_timed_out("the server has not ended, after the end of its input,");
    }
    end_client();
    return **server_ending_;
}

void session_pair::flush()
{
    const auto is_flushed = [this] { return client_->counters().outbox_bytes == 0 || server_ending_->has_value(); };
    if (!loop.try_run_until(is_flushed))
        throw_timed_out("the server has not read what was sent");
}

// What the server has sent last is read; handlers of the client are cancelled.
void session_pair::end_client()
{
    run_until_idle();
    if (!*client_ending_)
        client_->stop(errc::session_closed);
    if (!loop.try_run_until([this] { return client_ending_->has_value(); }))
        throw_timed_out("the client's methods have not ended");
}

std::string session_pair::explain(const detail::call_record& call) const
{
    const std::string& details = call.reply->details();
    return in_quotes(call.method) + (details.empty() ? "" : ": " + details) + ending_text();
}

std::string session_pair::ending_text() const
{
    if (!*server_ending_)
        return {};
    const error_code why = **server_ending_;
    return " (the server has ended: " + (why ? why.message() : "in order") + ")";
}

void session_pair::throw_timed_out(const std::string& what) const
{
    const std::uint64_t waiting = server_.counters().waiting;
    const std::string queue =
        waiting == 0 ? "" : "; " + std::to_string(waiting) + " of the requests have not been started";
    throw timed_out(what + " " + loop.limit_text() + recorder_->in_flight() + queue + ending_text());
}

} // namespace partyline::test
