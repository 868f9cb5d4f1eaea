#pragma once

#include "on_port.hpp"

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/version.hpp>

#include <chrono>
#include <concepts>
#include <utility>

namespace baseline {

namespace beast = boost::beast;
namespace http = boost::beast::http;

using plain_stream = beast::tcp_stream::rebind_executor<executor>::other;

inline http::message_generator answer(http::request<http::string_body>&& request)
{
    http::response<http::string_body> response(http::status::ok, request.version());
    response.set(http::field::server, BOOST_BEAST_VERSION_STRING);
    response.set(http::field::content_type, "application/json");
    response.keep_alive(request.keep_alive());
    response.body() = std::move(request.body());
    response.prepare_payload();
    return response;
}

/// Answers POSTs with their bodies, over TCP or over TLS.
template <class Stream>
asio::awaitable<void> serve_posts(Stream with)
{
    constexpr bool is_plain = std::same_as<Stream, plain_stream>;
    auto& lowest = beast::get_lowest_layer(with);
    beast::flat_buffer buffer;
    try {
        lowest.expires_after(std::chrono::seconds(30));
        if constexpr (!is_plain)
            co_await with.async_handshake(Stream::server, asio::use_awaitable);
        for (bool keeps_alive = true; keeps_alive;) {
            lowest.expires_after(std::chrono::seconds(30));
            http::request<http::string_body> request;
            co_await http::async_read(with, buffer, request, asio::use_awaitable);
            http::message_generator response = answer(std::move(request));
            keeps_alive = response.keep_alive();
            co_await beast::async_write(with, std::move(response), asio::use_awaitable);
        }
        if constexpr (is_plain)
            lowest.socket().shutdown(tcp::socket::shutdown_send);
        else
            co_await with.async_shutdown(asio::use_awaitable);
    } catch (const boost::system::system_error&) {
        // The client is gone.
    }
}

} // namespace baseline
