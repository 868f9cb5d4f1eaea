#include "session/served_request.hpp"

#include "session/conversation.hpp"

#include <partyline/protocol/writer.hpp>
#include <partyline/session/handler.hpp>

#include <stdexcept>

namespace json = boost::json;
using boost::asio::awaitable;

namespace partyline {
namespace {

awaitable<void> nothing_to_wait_for()
{
    co_return;
}

void append_or_throw(byte_buffer& out, const json::value& value, std::size_t depth)
{
    if (const auto problem = write_value(out, value, depth))
        throw std::invalid_argument("cannot be sent: " + problem->reason + " at \"" + problem->where + '"');
}

} // namespace

void served_request::assign(const message& from, const partyline::method& to)
{
    slot::id.assign(from.id, from.id_key);
    stage = state::running;
    callee = &to;
    cause.store(cancel_cause::none, std::memory_order_relaxed);
    generation = owner_.next_generation();
    rule = start_rule_of(to);
    if (from.method == to.name) [[likely]]
        called_as_.clear();
    else
        called_as_ = from.method;
    token_ = owner_.find_progress_token(from.params);
}

std::string_view served_request::method() const noexcept
{
    return called_as_.empty() ? std::string_view(callee->name) : std::string_view(called_as_);
}

bool served_request::stopping() const noexcept
{
    return owner_.is_stopping();
}

std::any& served_request::session_user_data() noexcept
{
    return owner_.options().user_data;
}

std::string_view served_request::progress_token() const noexcept
{
    if (!token_.empty())
        return token_;
    return slot::id.is_null() ? std::string_view() : slot::id.text();
}

sending served_request::progress(json::value value)
{
    const std::string_view token = progress_token();
    if (!token.empty()) {
        byte_buffer params;
        params.append("{\"token\":");
        params.append(token);
        params.append(",\"value\":");
        append_or_throw(params, value, owner_.options().bounds.depth);
        params.push_back('}');
        send(owner_.dialect().progress_method, params.view());
    }
    return nothing_to_wait_for();
}

sending served_request::notify(std::string method, json::value params)
{
    if (!params.is_null() && !params.is_structured())
        throw std::invalid_argument("the params of a notification are an array, an object or null");
    byte_buffer text;
    if (!params.is_null())
        append_or_throw(text, params, owner_.options().bounds.depth);
    send(method, text.view());
    return nothing_to_wait_for();
}

} // namespace partyline
