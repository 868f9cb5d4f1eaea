#pragma once

#include <partyline/config.hpp>
#include <partyline/session/call_params.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace partyline {

class request_context;

} // namespace partyline

namespace partyline::mcp {

class topic_core;

/// The type of a topic's member in the filter of `subscriptions/listen`.
enum class topic_kind : std::uint8_t {
    keys, ///< an array of strings: `"jobIds":["4","7"]`
    flag  ///< a boolean: `"jobsChanged":true`
};

/// How clients may listen to a topic: see `listen_topic`.
struct listen_topic_options {
    /// The type of the member.
    topic_kind kind = topic_kind::keys;
    /// Returns whether the client may listen to a key (for a flag, the key is empty). The server leaves other keys out
    /// of its acknowledgement, so the client can't tell them from keys that do not exist. The function is called on the
    /// session's executor, once for each key of a request, and again before each notification; it must not block. The
    /// request is answered with the exception that the function throws. Empty: every client may.
    std::function<bool(const request_context& rpc, const std::string& key)> may_listen = {};
};

/// A topic of an extension (from 2026-07-28 on): a member of the filter of `subscriptions/listen`, and the notification
/// that its listeners get. `extension_options::topics` declares it. One topic may be declared on several servers.
/// Copies refer to the same topic, and may outlive the servers.
///
///     bool is_own_job(const partyline::request_context& rpc, const std::string& key);
///
///     mcp::listen_topic states("jobIds", "notifications/jobs/state", {.may_listen = is_own_job});
///     server.add_extension("com.example/jobs", {}, std::move(methods), {.topics = {states}});
///     states.publish("4", named("job", 4, "state", "done"));
///
/// Clients that have declared the extension, and from which it is not hidden, may listen; for others the member is not
/// there. A request with more keys of a topic than `server_options::max_subscriptions` is refused as invalid params,
/// one that exceeds `max_subscription_bytes` of its session with `error_codes::server_busy`.
///
/// Thread safety: safe.
class PARTYLINE_EXPORT listen_topic {
public:
    /// Throws `std::invalid_argument` for a member that is empty or the protocol's own, and for a notification that is
    /// the protocol's own, or does not begin with "notifications/".
    listen_topic(std::string member, std::string notification, listen_topic_options how = {});
    listen_topic(const listen_topic&) = default;
    listen_topic& operator=(const listen_topic&) = default;
    ~listen_topic() = default;

    /// Notifies the clients that listen to this key, which is empty for a flag. `params` is an object, or nothing; the
    /// subscription's id is added to its `_meta`.
    ///
    /// It does not wait for clients. A client that does not keep up gets the last publication for a key; the ones
    /// before are dropped. So `params` describes a present state, and a program that publishes to one key from several
    /// threads has to keep the order. A client may not get publications from before its request was acknowledged; it
    /// asks for the state after that. Params that exceed the client's message limit are dropped for this client, as are
    /// those that would wait for it beyond `server_options::max_subscription_bytes`; its session's log says so, for the
    /// latter again only after ten seconds without it.
    ///
    /// Throws `std::invalid_argument`: `params` is something else or has no JSON text, or a flag has a key;
    /// `std::bad_alloc`: some listeners may not have been notified.
    void publish(std::string_view key, const call_params& params = {}) const;

    /// Whether a client listens to this key now. Where no client listens, `publish` sends nothing, but still checks
    /// `params`; ask first to save making them.
    bool has_listener(std::string_view key) const;

    /// For internal use.
    const std::shared_ptr<topic_core>& core() const noexcept { return core_; }

private:
    std::shared_ptr<topic_core> core_; // never null
};

} // namespace partyline::mcp
