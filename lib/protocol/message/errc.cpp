#include <partyline/protocol/errc.hpp>

#include <string>

namespace partyline {
namespace {

class category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline"; }

    std::string message(int code) const override
    {
        switch (static_cast<errc>(code)) {
        case errc::already_started: return "the session runs already or has run";
        case errc::session_closed: return "the session has ended";
        case errc::peer_gone: return "the peer is gone, and reads no more";
        case errc::drain_timeout:
            return "handlers were cancelled, or what was left could not be sent, within the drain timeout";
        case errc::overloaded: return "there was no room for a notification within the limits";
        case errc::bad_header: return "input can't be told apart into messages any more";
        case errc::bad_frame: return "the peer broke the rules of WebSocket";
        case errc::exit_without_shutdown: return "the peer said exit without shutdown";
        case errc::write_stalled: return "the peer has stopped reading";
        case errc::no_message: return "no message has come within the time for the first one";
        case errc::idle: return "there was nothing to do for the idle timeout";
        case errc::http_request: return "an HTTP or TLS request came, which is not served here";
        case errc::stream_truncated: return "the connection was cut off, without the end that TLS has";
        case errc::no_data: return "the peer sent too many TLS records in a row without data";
        case errc::access_ended: return "the credentials of the peer have expired or were taken away";
        case errc::session_failed: return "the session ran out of memory, or a hook or profile of its program threw";
        case errc::timeout: return "no reply within the time that the call had";
        case errc::peer_closed: return "the peer ended the conversation before it replied";
        case errc::bad_reply: return "the reply is no valid response";
        case errc::not_convertible: return "the result is not of the type that was asked for";
        case errc::message_too_large: return "the call or its reply is larger than the limits allow";
        case errc::http_status: return "the server answered over HTTP, and not with a reply";
        case errc::bad_params:
            return "a call needs a method, and params that are an array, an object or null; a batch, a protocol that "
                   "has them";
        case errc::too_many_calls: return "as many calls wait for a reply as the limits allow";
        case errc::refused: return "the message hook, or middleware, refused it";
        case errc::not_running: return "the server does not run";
        case errc::gave_up: return "the server has ended and is not started again";
        case errc::start_failed: return "starting the server, or greeting it, failed";
        }
        return "unknown error " + std::to_string(code);
    }
};

} // namespace

const boost::system::error_category& partyline_category() noexcept
{
    static const category instance;
    return instance;
}

} // namespace partyline
