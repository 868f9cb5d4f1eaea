#include "http/client/mcp_protocol.hpp"

#include "http/client/client_driver.hpp"
#include "http/client/client_session.hpp"
#include "http/client/event_stream.hpp"
#include "http/client/lost_session.hpp"
#include "http/client/tool_fields.hpp"
#include "http/connections/answer_stream.hpp"
#include "http/connections/client_failure.hpp"
#include "http/connections/refusal.hpp"
#include "http/mcp/base64_value.hpp"
#include "http/mcp/mcp_message.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/async/async_mutex.hpp>
#include <partyline/http/client_errc.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/lifecycle.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view session_field = "Mcp-Session-Id";
constexpr std::string_view cancel = "notifications/cancelled";
constexpr std::string_view initialized = "notifications/initialized";

// Time for each answer while a session is begun again.
constexpr auto renewal_time = 30s;

std::vector<field_text> fields_in(const client_driver& by, const client_session& session)
{
    std::vector<field_text> all = by.fields();
    for (field_text& one : session.fields())
        all.push_back(std::move(one));
    return all;
}

class mcp_protocol final : public exchange_protocol {
public:
    explicit mcp_protocol(const asio::any_io_executor& executor)
        : executor_(executor), reader_(limits()), begun_(executor), renewal_(executor)
    {
    }

    std::vector<field_text> fields_for(const posted_message& sent) override;
    bool is_posted(const posted_message& sent) const override { return sent.method != cancel || session_.has_begun(); }
    // Some servers refuse a request that overtakes this notification on another connection; and only after it has the
    // server a stream of its own.
    bool goes_ahead(const posted_message& sent) const override { return sent.method == initialized; }
    void on_answered(const posted_message& sent, const received_head& head) override;
    void on_message(const posted_message& sent, std::string& text) override;
    asio::awaitable<bool> recover(client_driver& by, const posted_message& refused, int status,
                                  std::vector<field_text> fields) override;
    // MCP lets such an error do without an id, and some servers write one that they have made up.
    bool takes_refusals_of_any_id() const noexcept override { return true; }
    bool heeds_retry_after() const noexcept override { return true; }
    bool resumes() const noexcept override { return session_.has_begun(); }
    asio::awaitable<void> listen(std::shared_ptr<client_driver> by) override;
    asio::awaitable<void> leave(std::shared_ptr<client_driver> by) override;

private:
    void note_tools(const posted_message& sent, std::string& text);
    void hear(const std::shared_ptr<client_driver>& by, const std::string& session);
    asio::awaitable<void> listen_to(std::shared_ptr<client_driver> by, std::string session);
    asio::awaitable<void> renew(client_driver& by, std::string lost);
    [[noreturn]] void end(client_driver& by);
    asio::awaitable<void> greet(client_driver& by, client_session& next);
    asio::awaitable<void> tell_initialized(client_driver& by, const client_session& next);

    asio::any_io_executor executor_;
    client_session session_;
    tool_fields tools_;
    message_reader reader_;
    async_event begun_;                                  // a session has begun
    std::shared_ptr<asio::cancellation_signal> hearing_; // ends the server's stream
    async_mutex renewal_;                                // held while a session is begun again
    bool has_lost_session_ = false;                      // and begins no other one
};

std::vector<field_text> mcp_protocol::fields_for(const posted_message& sent)
{
    const mcp_message m = read_mcp_message(reader_, sent.text);
    if (m.begins_session) {
        session_.note_greeting(sent.text);
        return {};
    }
    if (!m.is_modern)
        return session_.fields();
    std::vector<field_text> all = {{"MCP-Protocol-Version", encode_field_value(m.version)},
                                   {"Mcp-Method", encode_field_value(m.method)}};
    if (m.has_name)
        all.push_back({"Mcp-Name", encode_field_value(m.name)});
    if (m.has_name && m.method == "tools/call") {
        for (field_text& one : tools_.fields_for(m.name, reader_))
            all.push_back(std::move(one));
    }
    return all;
}

void mcp_protocol::on_answered(const posted_message& sent, const received_head& head)
{
    if (!head.is_success())
        return;
    if (sent.method == "initialize")
        session_.note_head(head);
    if (sent.method != initialized)
        return;
    session_.note_initialized();
    if (!session_.id().empty())
        begun_.set();
}

void mcp_protocol::on_message(const posted_message& sent, std::string& text)
{
    if (sent.method == "initialize")
        session_.note_reply(reader_, text);
    else if (sent.method == "tools/list")
        note_tools(sent, text);
}

// Leaves tools that are marked wrongly out of the reply, which then loses digits of numbers past 64 bits. Before
// 2026-07-28 marks have no meaning.
void mcp_protocol::note_tools(const posted_message& sent, std::string& text)
{
    if (!read_mcp_message(reader_, sent.text).is_modern)
        return;
    const bool is_first = reader_.find_param("cursor").empty();
    const message& m = reader_.read(text);
    if (m.type != message_type::reply || m.is_error)
        return;
    if (is_first)
        tools_.clear();
    try {
        if (const auto usable = tools_.note_list(m.outcome))
            text = R"({"jsonrpc":"2.0","id":)" + std::string(m.id) + R"(,"result":)" + json::serialize(*usable) + '}';
    } catch (const rpc_error&) { // the caller will find the same fault in it
    }
}

// A server that does not know the session has not served the message, so it may be sent again.
asio::awaitable<bool> mcp_protocol::recover(client_driver& by, const posted_message& refused, int status,
                                            std::vector<field_text> fields)
{
    const auto session = std::ranges::find_if(fields, [](const field_text& one) { return one.name == session_field; });
    if (session == fields.end())
        co_return false;
    std::string lost = session->value;
    const bool is_lost = co_await tells_of_lost_session(by, status, std::move(fields));
    if (!is_lost)
        co_return false;
    co_await renew(by, std::move(lost));
    const bool is_said_again = refused.method == initialized && session_.is_initialized();
    co_return !is_said_again;
}

// Begins the session again once, however many messages were refused. The new session is used only when the server knows
// that it is initialized: else a renewal that breaks off would leave all later calls a session that serves nothing.
asio::awaitable<void> mcp_protocol::renew(client_driver& by, std::string lost)
{
    auto locking = renewal_.async_lock(asio::use_awaitable);
    const async_mutex::lock own = co_await std::move(locking);
    if (session_.id() != lost)
        co_return;
    const std::shared_ptr<lifecycle> rules = by.lifecycle();
    if (rules && !rules->renews_session())
        end(by);
    client_session next = session_;
    co_await greet(by, next);
    if (next.is_initialized())
        co_await tell_initialized(by, next);
    session_ = std::move(next);
    if (session_.is_initialized())
        begun_.set();
}

// The message that was refused fails at once, and all others with the conversation.
void mcp_protocol::end(client_driver& by)
{
    if (!std::exchange(has_lost_session_, true))
        by.stop(client_errc::session_lost);
    throw boost::system::system_error(client_errc::session_lost);
}

asio::awaitable<void> mcp_protocol::greet(client_driver& by, client_session& next)
{
    posted_message hello;
    hello.text = next.greeting();
    hello.method = "initialize";
    client_request request = by.request_for("POST", by.fields_for(hello));
    request.body = std::make_shared<const std::string>(hello.text);
    request.is_control = true;
    pooled_response answer = co_await by.send(std::move(request), std::chrono::steady_clock::now() + renewal_time);
    if (answer.head().is_success())
        next.note_head(answer.head());
    co_await check_credentials(answer, by.max_message());
    answer_stream messages(answer, by.max_message());
    const time_limit until = std::chrono::steady_clock::now() + renewal_time;
    for (bool has_begun = false; !has_begun;) {
        const std::optional<std::string> text = co_await messages.next(until);
        if (!text)
            fail(errc::http_status, "the server has lost the session, and begins no other one: " +
                                        status_words(answer.head(), answer.secrets()));
        has_begun = next.note_reply(reader_, *text);
    }
}

asio::awaitable<void> mcp_protocol::tell_initialized(client_driver& by, const client_session& next)
{
    client_request request = by.request_for("POST", fields_in(by, next));
    request.body = std::make_shared<const std::string>(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    request.is_control = true;
    const time_limit until = std::chrono::steady_clock::now() + renewal_time;
    const pooled_response answer = co_await by.send(std::move(request), until);
    if (!answer.head().is_success())
        fail(errc::http_status, "the server has begun the session again, and refuses notifications/initialized: " +
                                    status_words(answer.head(), answer.secrets()));
}

// Reads the stream of the newest session: that of a lost one may stay open for long.
asio::awaitable<void> mcp_protocol::listen(std::shared_ptr<client_driver> by)
{
    for (std::string session; !by->has_ended();) {
        begun_.reset();
        if (session_.is_initialized() && !session_.id().empty() && session_.id() != session) {
            session = session_.id();
            hear(by, session);
        }
        auto another_begun = begun_.async_wait(asio::as_tuple(asio::use_awaitable));
        co_await std::move(another_begun);
    }
    if (hearing_)
        hearing_->emit(asio::cancellation_type::all);
}

void mcp_protocol::hear(const std::shared_ptr<client_driver>& by, const std::string& session)
{
    if (hearing_)
        hearing_->emit(asio::cancellation_type::all);
    hearing_ = std::make_shared<asio::cancellation_signal>();
    asio::co_spawn(executor_, listen_to(by, session),
                   asio::bind_cancellation_slot(hearing_->slot(), [stop = hearing_](std::exception_ptr) {}));
}

// A server without such a stream answers with an error status, mostly 405, some with 404; after a stream that means
// that the session is lost.
asio::awaitable<void> mcp_protocol::listen_to(std::shared_ptr<client_driver> by, std::string session)
{
    try {
        const events_end end = co_await follow_events(*by, posted_message(), event_place());
        bool is_lost = end.had_stream;
        if (is_lost)
            is_lost = co_await tells_of_lost_session(*by, end.status, fields_in(*by, session_));
        if (is_lost)
            co_await renew(*by, session);
    } catch (const boost::system::system_error& e) {
        if (!by->has_ended() && session_.id() == session && !has_lost_session_)
            by->log("what the server says unasked is heard no longer: " + exception_text(e));
    }
}

asio::awaitable<void> mcp_protocol::leave(std::shared_ptr<client_driver> by)
{
    if (session_.id().empty() || has_lost_session_)
        co_return;
    client_request request = by->request_for("DELETE", fields_in(*by, session_));
    request.is_control = true;
    co_await by->send(std::move(request), no_time_limit); // the driver gives it up
}

} // namespace

std::unique_ptr<exchange_protocol> make_mcp_protocol(asio::any_io_executor executor)
{
    return std::make_unique<mcp_protocol>(executor);
}

} // namespace partyline::http
