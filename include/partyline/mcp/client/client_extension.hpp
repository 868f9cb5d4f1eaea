#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/call_hooks.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/operation.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace partyline::mcp {

class client_core;

/// A result of an extension's own type (`resultType`), in place of a complete one (2026-07-28).
struct extension_result {
    std::string method; ///< of the request: "tools/call"
    json_text result;   ///< as it came
    call_hooks hooks;   ///< of the call; `timeout` is the rest of it, 0 still means for ever
};

/// Makes the complete result of the method, by any further calls. The function runs on the session's executor; its
/// exception fails the call. Operations that it awaits are cancelled when the call is cancelled, when the call's time
/// is over, and when the conversation ends.
using result_function = std::function<task<json_text>(extension_result what)>;

/// The options of a client's extension: see `client::add_extension`.
struct client_extension_options {
    /// The first revision that the extension is for. In the handshake of the legacy era an extension from 2026-07-28 on
    /// is not declared, and with a server that speaks an earlier revision an extension counts as not served.
    revision since = revision::v2024_11_05;
    /// The functions that make complete results, by the method of the request and by `resultType`, which is neither
    /// "complete" nor "input_required". Other types stay `client_errc::unknown_result_type`.
    std::map<std::pair<std::string, std::string>, result_function> results = {};
    /// Called when a subscription is open again after a gap (the server ended it, or the connection broke): changes
    /// during the gap are lost, so ask for the state. Also called when the server no longer honours the subscription,
    /// which has then ended: call `subscribe` again, which does nothing where the subscription is open, and fails with
    /// client_errc::not_subscribed while the server does not honour it. `key` is empty for a flag. Runs on the
    /// session's executor; its exceptions go to the session's log.
    std::function<void(const std::string& member, const std::string& key)> on_gap = {};
};

/// An extension of the protocol that a client has declared. Copies refer to the same extension, and may outlive the
/// client.
///
/// Thread safety: safe.
class PARTYLINE_EXPORT client_extension {
public:
    /// For the library's own.
    client_extension(std::weak_ptr<client_core> of, boost::asio::any_io_executor home, std::string name) noexcept
        : of_(std::move(of)), home_(std::move(home)), name_(std::move(name))
    {
    }

    /// The name of the extension.
    const std::string& name() const noexcept { return name_; }
    /// The settings with which the server has declared it. Nothing where the server has not declared it, or not by an
    /// object; before `client::start` has completed; after the client has been destroyed.
    std::optional<boost::json::object> served() const;

    /// Makes a request, as `client::request` does, of a server that has declared the extension. Fails, too, with
    /// client_errc::not_declared, and with errc::session_closed when the client has been destroyed: then nothing is
    /// sent.
    operation<json_text> request(std::string method, call_params params = nullptr, call_hooks hooks = {}) const;
    /// Subscribes to a key of one of the extension's topics (see `listen_topic`). `member` is the name of the topic in
    /// the filter of `subscriptions/listen`; without a key the member is a flag. The handlers given to
    /// `client::add_extension` get the notifications of subscriptions that are open. Each key has a request of its own,
    /// which stays open; a server may bound their number. The request is made again where the server ends it or a
    /// connection breaks, see `client_options::listen_pause`, but not by the next client of a `supervised_client`. Ask
    /// for the state when the operation has completed.
    ///
    /// Throws `std::invalid_argument` for a member that is empty or the protocol's own.
    ///
    /// Fails with       the errors of `client::subscribe`; client_errc::not_declared; errc::session_closed: the client
    ///                  has been destroyed; client_errc::not_subscribed also for a server before 2026-07-28
    /// Cancellation, lifetime, threads   those of `client`
    operation<void> subscribe(std::string member, std::optional<std::string> key = {}) const;
    /// Ends a subscription, whichever code has made it. Does nothing without a subscription.
    operation<void> unsubscribe(std::string member, std::optional<std::string> key = {}) const;
    /// Has the client's handlers answer questions of the server that the extension has received in its own way: objects
    /// as in `inputRequests`, by key. Returns the answers in the form of `inputResponses`. `most`: how long the answers
    /// may take in all; 0 means for ever.
    ///
    /// Fails with       client_errc::not_started, no_handler, bad_result; errc::timeout; errc::session_closed; the
    ///                  exception of a handler
    /// Cancellation, lifetime, threads   those of `client`
    operation<boost::json::object>
    answer(boost::json::object questions,
           std::chrono::steady_clock::duration most = std::chrono::steady_clock::duration::zero()) const;

private:
    std::weak_ptr<client_core> of_;
    boost::asio::any_io_executor home_; // the session's
    std::string name_;
};

} // namespace partyline::mcp
