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

/// What the member of a topic is in the filter of `subscriptions/listen`.
enum class topic_kind : std::uint8_t {
    keys, ///< an array of strings: `"jobIds":["4","7"]`
    flag  ///< a boolean: `"jobsChanged":true`
};

/// How clients may listen to a topic: see `listen_topic`.
struct listen_topic_options {
    /// What the member is.
    topic_kind kind = topic_kind::keys;
    /// Whether the client of this request may listen to a key; to a flag, whose key is empty. One that it may not is
    /// left out of what the server acknowledges, as is one that there is not. It is called where the session runs, once
    /// for each key of a request, and does not wait; what it throws the request is answered with. Empty: all may.
    std::function<bool(const request_context& rpc, const std::string& key)> may_listen = {};
};

/// What an extension of the protocol tells clients that listen to it, without a request of theirs (2026-07-28): a
/// member of the filter of `subscriptions/listen`, and a notification. It is declared by `extension_options::topics`,
/// and may be that of several servers. Copies are the same one, and may outlive these.
///
///     mcp::listen_topic states("jobIds", "notifications/jobs/state", {.may_listen = is_own_job});
///     server.add_extension("com.example/jobs", {}, std::move(methods), {.topics = {states}});
///     states.publish("4", named("job", 4, "state", "done"));
///
/// Clients that have declared the extension, and from which it is not hidden, may listen; for others the member is not
/// there. The keys of a topic in one request are bounded by `server_options::max_subscriptions`, those of a session by
/// `max_subscription_bytes`.
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

    /// Tells those who listen to this key; of a flag it is empty. `params` is an object, or nothing; `_meta` gets the
    /// subscription's id.
    ///
    /// It does not wait for clients. A client that does not keep up gets the last of what was published to a key, and
    /// what came before that is dropped: so `params` says how something stands now, and whoever publishes to one key
    /// from several threads sees to the order. What is published before a client's request is acknowledged that client
    /// is not told; it asks for the state then. What is longer than a message may be is dropped for that client, and
    /// its session's log says so.
    ///
    /// Throws `std::invalid_argument`: `params` is something else or has no JSON text, or a flag has a key;
    /// `std::bad_alloc`: some may not be told.
    void publish(std::string_view key, const call_params& params = {}) const;

    /// Whether a client listens to this key now. Where no client listens, `publish` sends nothing, but still checks
    /// `params`; ask first to save making them.
    bool has_listener(std::string_view key) const;

    /// For the library's own.
    const std::shared_ptr<topic_core>& core() const noexcept { return core_; }

private:
    std::shared_ptr<topic_core> core_; // never null
};

} // namespace partyline::mcp
