#pragma once

#include "mcp/client/client_handlers.hpp"

#include <partyline/session/call_result.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/object.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace partyline::mcp {

/// The id of the subscription that this `_meta` of a notification names; 0 for an id that this client never uses.
std::optional<std::uint64_t> subscription_of(const boost::json::object& meta);

/// What a stream is about: the lists, a resource, or a key of an extension's topic.
struct listen_subject {
    std::string extension = {};          // whose topic it is; empty: the protocol's own
    std::string member = {};             // of the filter; empty: the lists
    std::optional<std::string> key = {}; // the resource's URI; of a flag none

    /// By its URI.
    static listen_subject resource(std::string uri);
    bool is_lists() const noexcept { return member.empty(); }
    bool is_resource() const noexcept { return extension.empty() && !member.empty(); }
    /// For messages.
    const std::string& name() const noexcept;

    auto operator<=>(const listen_subject&) const = default;
};

/// What to ask for: the lists that handlers were set for and the server tells of, or something else.
boost::json::object wanted_lists(const client_handlers& of, const boost::json::object& server_capabilities);
boost::json::object wanted(const listen_subject& what);

/// One `subscriptions/listen`, from its request to its end.
///
/// A session does not tell the ids of its calls, so a stream is known by what it wanted, and by ids growing: where one
/// was given up unacknowledged, its acknowledgment may still come, and be taken for that of the next one. So the
/// greatest id counts that was acknowledged for what is wanted here.
class listen_stream {
public:
    listen_stream(const boost::asio::any_io_executor& where, listen_subject of, boost::json::object all);

    const listen_subject subject;
    const boost::json::object wanted;
    boost::asio::cancellation_signal cancelling;
    boost::asio::steady_timer changed; // cancelled when it is acknowledged, has ended, or is not wanted any more
    std::optional<response> end;
    bool is_outage_told = false; // that it could not be opened again

    /// Takes an acknowledgment. False: it is of another one.
    bool acknowledge(std::optional<std::uint64_t> by, const boost::json::object& told);
    bool is_acknowledged() const noexcept { return honoured_.has_value(); }
    bool is_honoured() const;
    /// The id of its request, once an acknowledgment has told it.
    std::optional<std::uint64_t> id() const noexcept { return id_; }
    /// Whether the server has ended it after the acknowledgment, or its connection has broken.
    bool was_lost() const { return end && is_honoured() && !is_own_end(end->code()); }
    /// Whether this is the code of a cancel by the client, or of the end of the conversation.
    static bool is_own_end(error_code of) noexcept;

    /// Throws the reason why it ended before it opened.
    [[noreturn]] void throw_end() const;
    /// Ends it: its subscription is not wanted any more.
    void cancel();

private:
    bool has_wanted(const boost::json::object& told) const;

    std::optional<boost::json::object> honoured_;
    std::optional<std::uint64_t> id_;
};

} // namespace partyline::mcp
