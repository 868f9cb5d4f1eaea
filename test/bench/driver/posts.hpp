#pragma once

#include "content.hpp"
#include "request_set.hpp"
#include "wire.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// What the requests of a client have in common.
struct head_recipe {
    std::string path;
    std::uint16_t port = 0;
    protocol spoken = protocol::json_rpc;
    /// The session that a client with a handshake has begun.
    std::string session = {};
    /// Whether it takes an event stream for an answer; clients of MCP always do.
    bool takes_events = false;
    /// What they are said in. Without HTTP the rest of this means nothing.
    speech how = speech::http;
    /// The framing of messages over standard streams.
    framing framed = framing::ndjson;
    /// Values of the field Authorization, in turns.
    std::vector<std::string> authorizations = {};
};

/// A POST of a message, as clients write it, which is the one of that number over its connection.
std::string post_of(const head_recipe& how, std::string_view body, std::size_t number = 0);
/// A GET of the session's event stream.
std::string get_of(const head_recipe& how);
/// What a client of WebSocket says first.
std::string opening_of(const head_recipe& how);
/// A message as it goes over the wire: a POST, a line, a frame, or with the framing of standard streams.
std::string request_of(const head_recipe& how, std::string_view body, std::size_t number = 0);

/// Requests as they go over the wire, all in memory before the clock starts: one for each message of `requests`, in
/// turn by one of `heads`, so that each has a row of them.
class post_set {
public:
    post_set(const std::vector<head_recipe>& heads, const request_set& requests);

    /// `count` of the requests of one head, the first being its number `first`; fewer where it has no more.
    std::string_view text(std::size_t head, std::size_t first, std::size_t count) const;
    /// How many a head has.
    std::size_t count(std::size_t head) const { return ends_[head].size(); }

private:
    std::vector<std::string> texts_;             // by head
    std::vector<std::vector<std::size_t>> ends_; // of the requests in them
};

} // namespace bench
