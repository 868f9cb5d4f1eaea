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

/// What a message of ours is, as far as its POST depends on that.
struct posted_message {
    std::string text;
    message_type type = message_type::bad;
    std::string method = {};
    std::vector<std::string> ids = {}; // of the calls in it

    bool asks() const noexcept { return !ids.empty(); }
};

/// What plain JSON-RPC over HTTP and MCP's Streamable HTTP do differently.
/// Thread safety: none; everything on the driver's executor.
class exchange_protocol {
public:
    virtual ~exchange_protocol() = default;

    /// The fields of a message's POST besides those that all have.
    virtual std::vector<field_text> fields_for(const posted_message& sent) = 0;
    /// Whether a message is sent at all: of a cancel, say, that the end of its POST tells.
    virtual bool is_posted(const posted_message& sent) const = 0;
    /// Whether what is said behind it is sent only when it has been answered.
    virtual bool goes_ahead(const posted_message& sent) const = 0;
    /// A POST was answered so; its body is still to come.
    virtual void on_answered(const posted_message& sent, const received_head& head) = 0;
    /// A message has come in the answer to calls of ours, their reply or what goes before, and is taken as the text is
    /// then.
    virtual void on_message(const posted_message& sent, std::string& text) = 0;
    /// Whether what was refused so, and had these fields, may be sent again, which is when this has completed.
    virtual boost::asio::awaitable<bool> recover(client_driver& by, const posted_message& refused, int status,
                                                 std::vector<field_text> fields) = 0;
    /// Whether what is refused with 429 or 503 and a Retry-After is sent again after that time.
    virtual bool heeds_retry_after() const noexcept = 0;
    /// Whether a stream of events that has ended before its reply is taken up again where it was.
    virtual bool resumes() const noexcept = 0;
    /// What else there is to hear: for as long as the session lives.
    virtual boost::asio::awaitable<void> listen(std::shared_ptr<client_driver> by) = 0;
    /// The conversation has ended. The driver waits for no longer than `session_options::close_timeout`.
    virtual boost::asio::awaitable<void> leave(std::shared_ptr<client_driver> by) = 0;
};

/// That of plain JSON-RPC: a cancel is the end of its POST, and there is nothing besides POSTs.
std::unique_ptr<exchange_protocol> make_plain_protocol(std::string cancel_method);

} // namespace partyline::http
