#pragma once

#include <partyline/connect.hpp>

#include <boost/asio/ip/address.hpp>

#include <functional>

namespace partyline {

/// Whether an address may be connected to. Empty: each may be.
using address_rule = std::function<bool(const boost::asio::ip::address&)>;

/// As `start_connect_tcp`, with a rule for the addresses of the host. If it refuses one of them, nothing is connected
/// to: that fails with asio::error::access_denied. What is connected to is an address that it has seen; the host is
/// looked up once.
PARTYLINE_EXPORT void start_connect_tcp(boost::asio::any_io_executor executor, std::string host, std::uint16_t port,
                                        address_rule rule,
                                        boost::asio::any_completion_handler<void(error_code, tcp_socket)> done);

/// As `async_connect_tcp`, with such a rule.
template <boost::asio::completion_token_for<void(error_code, tcp_socket)> Token = boost::asio::deferred_t>
auto async_connect_tcp_by(boost::asio::any_io_executor executor, std::string host, std::uint16_t port,
                          address_rule rule, Token&& token = {})
{
    return boost::asio::async_initiate<Token, void(error_code, tcp_socket)>(
        [](auto handler, boost::asio::any_io_executor on, std::string to, std::uint16_t at, address_rule by) {
            start_connect_tcp(std::move(on), std::move(to), at, std::move(by), std::move(handler));
        },
        token, std::move(executor), std::move(host), port, std::move(rule));
}

} // namespace partyline
