#include "server/accept_log.hpp"

#include "session/current_exception.hpp"

#include <partyline/session/log.hpp>

#include <boost/asio/error.hpp>

#include <new>
#include <string>

namespace asio = boost::asio;

namespace partyline {
namespace {

// How a session may end without anybody having to hear of it. (A drain timeout the session itself has logged.)
bool is_ordinary(const error_code& why)
{
    return !why || why == asio::error::operation_aborted || why == asio::error::connection_reset ||
           why == errc::peer_gone || why == errc::peer_closed || why == errc::drain_timeout || why == errc::idle;
}

} // namespace

template <class MakeLine>
void accept_log::write_once(log_throttle& of, MakeLine make) noexcept
{
    if (!of.allows(log_throttle::clock::now()))
        return;
    try {
        write_log(write_, make());
    } catch (const std::bad_alloc&) {
    }
}

void accept_log::accept_failed(const listener& at, const error_code& why) noexcept
{
    write_once(failures_,
               [&] { return "cannot accept a connection on " + at.name() + ": " + why.message() + "; trying again"; });
}

void accept_log::serve_failed() noexcept
{
    write_once(failures_, [] { return "cannot serve a connection: " + current_exception_text(); });
}

void accept_log::refused(const ip_endpoint& from) noexcept
{
    write_once(refusals_, [&] {
        return "refused a connection from " + from.ip.to_string() +
               ": as many are open as there may be from one address";
    });
}

void accept_log::session_ended(const error_code& why) noexcept
{
    const auto line = [&] { return "a session ended: " + why.message(); };
    if (why == errc::http_request)
        write_once(http_requests_, line);
    else if (why == errc::no_message)
        write_once(silent_peers_, line);
    else if (why == errc::bad_header || why == errc::bad_frame || why == errc::message_too_large ||
             why == errc::stream_truncated)
        write_once(bad_headers_, line);
    else if (why == errc::access_ended)
        write_once(ended_access_, line);
    else if (!is_ordinary(why))
        write_once(failed_sessions_, line);
}

void accept_log::hook_threw() noexcept
{
    write_once(failed_hooks_, [] { return "on_session_end of a server threw " + current_exception_text(); });
}

} // namespace partyline
