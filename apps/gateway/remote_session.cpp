#include "gateway/remote_session.hpp"

#include "gateway/member_text.hpp"
#include "gateway/remote_message.hpp"
#include "http/mcp/base64_value.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace asio = boost::asio;
using partyline::json_text;
using partyline::message_type;

namespace gateway {

field_list remote_session::fields() const
{
    field_list all;
    if (!id_.empty())
        all.emplace_back("Mcp-Session-Id", id_);
    if (!revision_.empty())
        all.emplace_back("MCP-Protocol-Version", partyline::http::encode_field_value(revision_));
    return all;
}

void remote_session::begin(json_text params)
{
    id_.clear();
    revision_.clear();
    greeting_ = std::move(params);
}

void remote_session::note_begun(std::string id, const json_text& result)
{
    id_ = std::move(id);
    revision_ = member_string(result, {"protocolVersion"}).value_or(std::string());
}

asio::awaitable<void> remote_session::renew(remote_link& over, asio::any_io_executor executor, std::string lost)
{
    while (renewal_) {
        auto waiting = renewal_->async_wait(asio::as_tuple(asio::use_awaitable));
        co_await std::move(waiting);
    }
    if (id_ != lost)
        co_return;
    renewal_.emplace(std::move(executor), asio::steady_timer::time_point::max());
    struct ending {
        ~ending() { self.renewal_.reset(); } // which wakes whoever waits
        remote_session& self;
    } const end{*this};
    co_await greet(over); // until then what is asked is refused as well, and waits here
}

asio::awaitable<void> remote_session::greet(remote_link& over)
{
    http_call call(over);
    std::string hello = message_text("\"gateway\"", "initialize", greeting_);
    const answer_head head = co_await call.post(field_list(), std::move(hello), false);
    partyline::message_reader reader{partyline::limits()};
    std::optional<std::string> text;
    do {
        text = co_await call.next_message();
        if (!text)
            throw no_answer("it has lost the session, and begins no other one: " + head.words);
    } while (reader.read(*text).type != message_type::reply);
    const partyline::message& m = reader.read(*text);
    if (m.is_error)
        throw error_in(m);
    note_begun(head.session_id, json_text(m.outcome));
    call.close(); // there are few connections for what asks nothing
    if (!is_initialized_)
        co_return;
    http_call telling(over);
    std::string told = message_text({}, "notifications/initialized", json_text());
    co_await telling.post(fields(), std::move(told), false);
}

} // namespace gateway
