#pragma once

#include "bench/driver/mcp_content.hpp"
#include "bench/driver/request_set.hpp"
#include "bench/driver/wire.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench::http {

/// What the requests of a client have in common.
struct head_recipe {
    std::string path;
    std::uint16_t port = 0;
    protocol spoken = protocol::json_rpc;
    /// The session that a client with a handshake has begun.
    std::string session = {};
    /// Whether it takes an event stream for an answer; clients of MCP always do.
    bool takes_events = false;
    /// What they are said in; of the rest of this, lines and messages of WebSocket have nothing.
    speech how = speech::http;
};

/// A POST of a message, as clients write it.
std::string post_of(const head_recipe& how, std::string_view body);
/// A GET of the session's event stream.
std::string get_of(const head_recipe& how);
/// What a client of WebSocket says first.
std::string opening_of(const head_recipe& how);
/// A message as it goes over the wire: a POST, a line or a frame.
std::string request_of(const head_recipe& how, std::string_view body);

/// A message of a request set as a body: without the end of line behind it.
std::string_view body_of(const request_set& requests, std::size_t index);

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

} // namespace bench::http
