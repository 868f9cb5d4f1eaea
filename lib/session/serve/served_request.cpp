#include "session/serve/served_request.hpp"

#include "protocol/message/throw_unwritable.hpp"
#include "session/serve/request_host.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/handler.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using boost::asio::awaitable;

namespace partyline {
namespace {

// A newer value may take the place of any but the first and the last one of LSP's work done progress.
bool is_replaceable(const json::value& progress)
{
    const json::object* const object = progress.if_object();
    const json::value* const kind = object ? object->if_contains("kind") : nullptr;
    const json::string* const name = kind ? kind->if_string() : nullptr;
    return !name || (*name != "begin" && *name != "end");
}

} // namespace

/// One who waits for room, for as long as it does.
class served_request::listed_wait {
public:
    listed_wait(served_request& request, async_event& room)
        : waits_(request.more().waits), place_(waits_.insert(waits_.end(), &room))
    {
    }
    ~listed_wait() { waits_.erase(place_); }
    listed_wait(const listed_wait&) = delete;
    listed_wait& operator=(const listed_wait&) = delete;

private:
    std::list<async_event*>& waits_;
    const std::list<async_event*>::iterator place_;
};

void request_extras::release_calls() noexcept
{
    for (const std::shared_ptr<outgoing_message>& call : std::exchange(calls, {}))
        call->from = nullptr;
}

const incoming_request& request_source::subject() const noexcept
{
    return of_;
}

bool request_source::take_unsent(notification_text& out)
{
    return of_.take_unsent(out);
}

void request_source::on_unsent_taken()
{
    of_.on_unsent_taken();
}

void served_request::assign(const message& from, const partyline::method& to, const start_rule& by)
{
    extras_.reset();
    incoming_request::id.assign(from.id, from.id_key);
    stage = state::running;
    is_silenced = false;
    is_answered = false;
    is_tool_error = false;
    set_callee(to, from.method);
    cause.store(cancel_cause::none, std::memory_order_relaxed);
    rule = by;
    input = from.params;
}

void served_request::keep_tokens()
{
    const json_view params = std::exchange(input, {});
    const std::string_view text = params.text();
    if (!text.starts_with('{'))
        return; // tokens are members
    const profile& names = owner_.context().protocol;
    // One byte is searched for first, which is faster. Only \u and \/ can spell a name's characters in another way.
    const bool has_escapes =
        text.find('\\') != text.npos && (text.find("\\u") != text.npos || text.find("\\/") != text.npos);
    if (const std::string_view token = owner_.find_token(params, names.progress_token, has_escapes); !token.empty())
        more().token = token;
    if (const std::string_view token = owner_.find_token(params, names.partial_result_token, has_escapes);
        !token.empty())
        more().partial_token = token;
}

void served_request::clear()
{
    stage = state::free;
    quota.release();
    if (extras_) // stays until the next request: a handler elsewhere may be on its way to look there
        extras_->deadline.reset();
}

request_extras& served_request::more()
{
    if (!extras_)
        extras_ = std::make_unique<request_extras>(*this, coalesce_above());
    return *extras_;
}

bool served_request::stopping() const noexcept
{
    return owner_.context().end.is_stopping();
}

std::shared_ptr<lifecycle> served_request::session_lifecycle() const
{
    return owner_.context().lifecycle;
}

bool served_request::is_own_member(std::string_view name) const noexcept
{
    return owner_.context().protocol.is_own_member(name);
}

std::string_view served_request::metadata_name() const noexcept
{
    return owner_.context().protocol.metadata;
}

binding_policy served_request::binding() const noexcept
{
    binding_policy policy = callee->options.binding;
    const binding_policy& general = owner_.context().protocol.binding;
    if (!policy.unknown)
        policy.unknown = general.unknown;
    if (!policy.empty)
        policy.empty = general.empty;
    return policy;
}

std::size_t served_request::max_depth() const noexcept
{
    return owner_.context().options.bounds.depth;
}

std::size_t served_request::max_message_bytes() const noexcept
{
    return owner_.context().options.bounds.message_bytes;
}

const peer_identity& served_request::peer() const noexcept
{
    if (extras_ && extras_->signer) [[unlikely]]
        return extras_->signer->peer;
    const peer_identity* const known = owner_.context().peer();
    return known ? *known : request_context::peer();
}

std::optional<std::string_view> served_request::http_field(std::string_view name) const noexcept
{
    if (!extras_ || !extras_->sender_fields)
        return std::nullopt;
    const sent_field* const found = find_field(*extras_->sender_fields, name);
    return found ? std::optional<std::string_view>(found->value) : std::nullopt;
}

std::shared_ptr<const access_view> served_request::access() const
{
    if (extras_ && extras_->signer) [[unlikely]]
        return extras_->signer->grant->view;
    return owner_.context().access.view();
}

attachments* served_request::session_values() noexcept
{
    return &owner_.context().attached;
}

std::shared_ptr<session_link> served_request::link() const
{
    return owner_.link();
}

const std::any* served_request::request_facts() const noexcept
{
    return extras_ && extras_->facts.has_value() ? &extras_->facts : nullptr;
}

std::any& served_request::session_user_data() noexcept
{
    return owner_.context().options.user_data;
}

std::string_view served_request::progress_token()
{
    if (!input.empty())
        keep_tokens();
    if (extras_ && !extras_->token.empty())
        return extras_->token;
    return incoming_request::id.is_null() || !owner_.context().protocol.id_is_progress_token
               ? std::string_view()
               : incoming_request::id.text();
}

sending served_request::tell_progress(const json::value& value)
{
    return tell_under(progress_token(), value, is_replaceable(value));
}

bool served_request::takes_partial_results()
{
    if (!input.empty())
        keep_tokens();
    return extras_ && !extras_->partial_token.empty();
}

sending served_request::tell_partial_result(const json::value& value)
{
    return takes_partial_results() ? tell_under(extras_->partial_token, value, false) : sending::without_wait();
}

sending served_request::tell_under(std::string_view token, const json::value& value, bool is_replaceable)
{
    if (token.empty())
        return sending::without_wait();
    const profile& protocol = owner_.context().protocol;
    byte_buffer params;
    throw_unwritable(protocol.write_progress(params, token, value, owner_.context().options.bounds.depth));
    return tell(protocol.progress_method, params.view(), is_replaceable);
}

sending served_request::notify(std::string method, call_params params)
{
    const call_rules& rules = owner_.context().calling;
    byte_buffer text;
    throw_unwritable(params.write_to(text, rules.depth));
    if (rules.around.empty()) [[likely]]
        return tell(method, text.view(), false);
    return tell_around(std::move(method), params);
}

// It does not wait for coroutines: it may be ignored by who tells it.
sending served_request::tell_around(std::string method, const call_params& params)
{
    error_code failed;
    const outgoing_element passed =
        make_told(std::move(method), params, false, owner_.context().calling.depth, {}, origin(), failed);
    if (failed)
        throw std::invalid_argument("middleware has made params of it that are none");
    if (!passed.answer)
        return tell(passed.method, passed.params, false);
    passed.answer->value(); // throws what has refused it
    return sending::without_wait();
}

void served_request::start_call(std::string method, call_params params, call_options options, call_handler done)
{
    send_call(*this, std::move(method), params, std::move(options), std::move(done));
}

void served_request::start_notify(std::string method, call_params params, notify_handler done)
{
    send_notification(*this, std::move(method), params, std::move(done));
}

void served_request::start_batch(call_batch calls, call_options options, batch_handler done)
{
    send_batch(*this, calls, std::move(options), std::move(done));
}

call_origin served_request::origin()
{
    return {owner_.context().calling, get_executor(), this};
}

void served_request::launch(const std::shared_ptr<outgoing_message>& message, error_code failed)
{
    if (owner_.prepare(message, failed))
        take_to_session(message);
}

sending served_request::tell(std::string_view method, std::string_view params, bool is_replaceable)
{
    constexpr std::size_t envelope = std::string_view(R"({"jsonrpc":"2.0","method":"","params":})").size();
    const std::size_t length = envelope + method.size() + params.size();
    const std::size_t limit = owner_.context().options.bounds.message_bytes;
    if (length > limit)
        throw std::invalid_argument("cannot be sent: it takes " + std::to_string(length) + " bytes, the limit is " +
                                    std::to_string(limit));
    say(method, params, is_replaceable);
    if (is_replaceable || !must_wait()) [[likely]]
        return sending::without_wait();
    return wait_for_room();
}

// The event is in this frame, which is destroyed with the executor's context whoever else is gone by then.
awaitable<void> served_request::wait_for_room()
{
    while (must_wait()) {
        async_event room(get_executor());
        const listed_wait listed(*this, room);
        error_code failed;
        co_await room.async_wait(asio::redirect_error(asio::use_awaitable, failed));
        const asio::cancellation_state own = co_await asio::this_coro::cancellation_state;
        if (own.cancelled() != asio::cancellation_type::none) // also where there is room now
            throw boost::system::system_error(asio::error::operation_aborted);
    }
}

void served_request::wake()
{
    if (!extras_)
        return;
    for (async_event* wait : extras_->waits)
        wait->set();
}

} // namespace partyline
