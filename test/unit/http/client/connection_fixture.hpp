#pragma once

#include "client/client_fixture.hpp"
#include "http/connections/client_connection.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>
#include <utility>

namespace partyline::test {

inline http::client_request get_request()
{
    http::client_request request;
    request.host = "a";
    return request;
}

inline http::client_request post_request(std::string body)
{
    http::client_request request = get_request();
    request.method = "POST";
    request.body = std::make_shared<const std::string>(std::move(body));
    return request;
}

/// The whole exchange: the status, and the body's pieces with bars between them.
inline boost::asio::awaitable<std::string> ask(http::client_connection& over, http::client_request request,
                                               http::time_limit until)
{
    co_await over.send(std::move(request), until);
    std::string all = std::to_string(over.head().status);
    while (true) {
        const std::string piece = co_await over.read_some(until);
        if (piece.empty())
            co_return all;
        all += '|' + piece;
    }
}

/// A connection and its server.
struct connection_fixture {
    boost::asio::io_context context;
    std::pair<socket_channel, scripted_end> ends = connect_ends(context);
    http::client_connection client{std::move(ends.first), http::response_limits()};
    scripted_end& server = ends.second;

    started<std::string> start(http::client_request request = get_request(),
                               http::time_limit until = http::no_time_limit)
    {
        return started<std::string>(context, ask(client, std::move(request), until));
    }
    /// Lets the client do what it can.
    void settle()
    {
        for (int turn = 0; turn < 20; ++turn) {
            context.restart();
            context.poll();
        }
    }
};

} // namespace partyline::test
