#include <partyline/testing/fake_context.hpp>

#include "protocol/message/throw_unwritable.hpp"
#include "session/calls/posted_completion.hpp"
#include "testing/fake_request.hpp"
#include "testing/recorder.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/profile.hpp>

#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

// A session counts the little that stands around them, too.
void throw_too_long(const byte_buffer& params)
{
    if (params.size() > limits().message_bytes)
        throw std::invalid_argument("cannot be sent: it takes more than " + std::to_string(params.size()) +
                                    " bytes, the limit is " + std::to_string(limits().message_bytes));
}

// As a session of the plain profile does.
void check_progress(const json::value& value)
{
    byte_buffer text;
    throw_unwritable(plain_profile.write_progress(text, "1", value, limits().depth));
    throw_too_long(text);
}

} // namespace

namespace detail {

handler_run& running_handler::run() const
{
    if (!run_)
        throw std::logic_error("this running handler was moved from");
    return *run_;
}

bool running_handler::is_done() const
{
    return run().is_done;
}

void running_handler::wait()
{
    handler_run& one = run();
    const auto request = one.owner.lock();
    if (!one.is_done && !request)
        throw std::logic_error("the context of this handler is gone");
    if (!one.is_done && !request->loop.try_run_until([&] { return one.is_done; }))
        throw timed_out("the handler has not ended " + request->loop.limit_text() + request->unanswered_text());
    if (one.thrown)
        std::rethrow_exception(one.thrown);
}

void throw_taken()
{
    throw std::logic_error("the result of this handler has been taken already");
}

} // namespace detail

fake_context::fake_context() : request_(std::make_shared<detail::fake_request>(nullptr)) {}

fake_context::fake_context(asio::io_context& context) : request_(std::make_shared<detail::fake_request>(&context)) {}

fake_context::~fake_context()
{
    try {
        cancel();
        request_->loop.try_run_until_idle();
    } catch (...) { // a destructor has nobody to tell
    }
}

void fake_context::run_until_idle()
{
    if (!request_->loop.try_run_until_idle())
        throw timed_out("what is ready to run has not come to an end " + request_->loop.limit_text());
}

detail::running_handler fake_context::spawn(task<void> handler)
{
    const auto run = std::make_shared<detail::handler_run>();
    request_->spawn(std::move(handler), run);
    run_until_idle();
    if (request_->is_cancelled) // from the beginning: then it is cancelled where it first waits
        request_->post_cancel();
    return detail::running_handler(run);
}

void fake_context::cancel()
{
    request_->is_cancelled = true;
    request_->post_cancel();
}

void fake_context::stop()
{
    request_->is_stopping = true;
}

void fake_context::set_method(std::string name)
{
    request_->method = std::move(name);
}

void fake_context::set_id(request_id id)
{
    request_->id = std::move(id);
}

void fake_context::set_binding(binding_policy policy)
{
    request_->binding = policy;
}

void fake_context::set_user_data(std::any data)
{
    request_->user_data = std::move(data);
}

void fake_context::set_peer(peer_identity who)
{
    request_->peer = std::move(who);
}

void fake_context::set_http_field(std::string name, std::string value)
{
    sent_fields& all = request_->http_fields;
    if (const sent_field* const old = find_field(all, name))
        all.erase(all.begin() + (old - all.data()));
    add_field(all, std::move(name), value);
}

void fake_context::set_access(std::shared_ptr<const access_view> view)
{
    request_->access = std::move(view);
}

void fake_context::set_link(std::shared_ptr<session_link> its)
{
    request_->link = std::move(its);
}

void fake_context::set_facts(std::any facts)
{
    request_->facts = std::move(facts);
}

void fake_context::take_partial_results()
{
    request_->takes_partial_results = true;
}

void fake_context::set_time_limit(std::chrono::steady_clock::duration most)
{
    request_->loop.time_limit = most;
}

void fake_context::on_call(std::string method, answer_function answer)
{
    if (!answer)
        throw std::invalid_argument("on_call(\"" + method + "\") needs a function, and got an empty one");
    request_->answers.insert_or_assign(std::move(method), std::move(answer));
}

void fake_context::never_answer(std::string method)
{
    request_->answers.insert_or_assign(std::move(method), answer_function());
}

const std::vector<json::value>& fake_context::progress_values() const noexcept
{
    return request_->progress;
}

const std::vector<json::value>& fake_context::partial_results() const noexcept
{
    return request_->partial_results;
}

const std::vector<recorded_notification>& fake_context::notifications() const noexcept
{
    return request_->notifications;
}

const std::vector<recorded_call>& fake_context::calls() const noexcept
{
    return request_->calls;
}

std::string_view fake_context::method() const noexcept
{
    return request_->method;
}

const request_id& fake_context::id() const noexcept
{
    return request_->id;
}

bool fake_context::cancelled() const noexcept
{
    return request_->is_cancelled;
}

bool fake_context::stopping() const noexcept
{
    return request_->is_stopping;
}

asio::any_io_executor fake_context::get_executor() const
{
    return request_->loop.context().get_executor();
}

sending fake_context::tell_progress(const json::value& value)
{
    if (!request_->id.empty() && !request_->id.is_null()) {
        check_progress(value);
        request_->progress.push_back(value);
    }
    return sending::without_wait();
}

bool fake_context::takes_partial_results()
{
    return request_->takes_partial_results;
}

sending fake_context::tell_partial_result(const json::value& value)
{
    if (request_->takes_partial_results) {
        check_progress(value);
        request_->partial_results.push_back(value);
    }
    return sending::without_wait();
}

sending fake_context::notify(std::string method, call_params params)
{
    byte_buffer text;
    throw_unwritable(params.write_to(text, limits().depth));
    throw_too_long(text);
    request_->notifications.push_back({std::move(method), value_or_text(json_view::checked(text.view()))});
    return sending::without_wait();
}

binding_policy fake_context::binding() const noexcept
{
    return request_->binding;
}

const peer_identity& fake_context::peer() const noexcept
{
    return request_->peer;
}

std::optional<std::string_view> fake_context::http_field(std::string_view name) const noexcept
{
    const sent_field* const found = find_field(request_->http_fields, name);
    return found ? std::optional<std::string_view>(found->value) : std::nullopt;
}

std::shared_ptr<const access_view> fake_context::access() const
{
    return request_->access;
}

std::shared_ptr<session_link> fake_context::link() const
{
    return request_->link;
}

std::any& fake_context::session_user_data() noexcept
{
    return request_->user_data;
}

attachments& fake_context::attached_values()
{
    return request_->attached;
}

const std::any* fake_context::request_facts() const noexcept
{
    return &request_->facts;
}

void fake_context::start_call(std::string method, call_params params, call_options, call_handler done)
{
    request_->ask(method, params, std::move(done));
}

void fake_context::start_notify(std::string method, call_params params, notify_handler done)
{
    const auto told = std::make_shared<completion<error_code>>(std::move(done), get_executor());
    (*told)(told, request_->record_notification(method, params));
}

void fake_context::start_batch(call_batch calls, call_options, batch_handler done)
{
    request_->ask(calls, std::move(done));
}

} // namespace partyline::test
