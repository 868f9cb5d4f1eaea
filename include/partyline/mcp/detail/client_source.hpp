#pragma once

#include <partyline/session.hpp>

#include <concepts>
#include <utility>

namespace partyline::mcp {

class client;

namespace detail {

/// A stream for a client.
template <class T>
concept client_stream =
    !std::same_as<T, client> && !std::same_as<T, session> && requires(T& stream) { stream.get_executor(); };

/// An object that opens a session with a server: `http::mcp_client` is one.
template <class T>
concept session_opener = requires(T opener, session_options options) {
    { std::move(opener).open(std::move(options)) } -> std::same_as<session>;
};

} // namespace detail
} // namespace partyline::mcp
