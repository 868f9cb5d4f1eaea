#pragma once

#include "http/connections/client_request.hpp"
#include "http/wire/received_head.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

class client_driver;

/// An outgoing message, with what its POST depends on.
struct posted_message {
    std::string text;
    message_type type = message_type::bad;
    std::string method = {};
    std::vector<std::string> ids = {}; // of its calls
    std::string proof = {};            // of one whose params have no place for it

    bool asks() const noexcept { return !ids.empty(); }
};

/// The differences between plain JSON-RPC over HTTP and MCP's Streamable HTTP.
/// Thread safety: none; everything on the driver's executor.
class exchange_protocol {
public:
    virtual ~exchange_protocol() = default;

    /// The fields of a message's POST besides those of every POST.
    virtual std::vector<field_text> fields_for(const posted_message& sent) = 0;
    /// Whether a message is sent at all. A cancel, for one, may be told by closing the connection of the call instead.
    virtual bool is_posted(const posted_message& sent) const = 0;
    /// Whether later messages are sent only after this one has been answered.
    virtual bool goes_ahead(const posted_message& sent) const = 0;
    /// A POST was answered with this head; the body is still to come.
    virtual void on_answered(const posted_message& sent, const received_head& head) = 0;
    /// A message has come in the answer to calls: their reply, or one before it. The protocol may change the text.
    virtual void on_message(const posted_message& sent, std::string& text) = 0;
    /// Does what makes a refused message worth repeating; `fields` are those it was sent with. Completes with whether
    /// it is to be sent again.
    virtual boost::asio::awaitable<bool> recover(client_driver& by, const posted_message& refused, int status,
                                                 std::vector<field_text> fields) = 0;
    /// Whether an error in the body of a refusal is about the refused message also where it has another id than null.
    virtual bool takes_refusals_of_any_id() const noexcept = 0;
    /// Whether a message that is refused with 429 or 503 and a Retry-After is sent again after that time.
    virtual bool heeds_retry_after() const noexcept = 0;
    /// Whether a stream of events that has ended before its reply is resumed.
    virtual bool resumes() const noexcept = 0;
    /// Reads what the server sends besides answers, for as long as the session lives.
    virtual boost::asio::awaitable<void> listen(std::shared_ptr<client_driver> by) = 0;
    /// Tells the server that the conversation has ended. The driver waits for no longer than
    /// `session_options::close_timeout`.
    virtual boost::asio::awaitable<void> leave(std::shared_ptr<client_driver> by) = 0;
};

/// Plain JSON-RPC: a cancel closes the connection of its POST, and there is nothing besides POSTs.
std::unique_ptr<exchange_protocol> make_plain_protocol(std::string cancel_method);

} // namespace partyline::http
