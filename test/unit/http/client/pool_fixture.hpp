#pragma once

#include "client/client_fixture.hpp"
#include "http/connections/connection_pool.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace partyline::test {

inline const error_code pool_aborted = boost::asio::error::operation_aborted;
inline const std::string fine_response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

inline http::client_request request_for(std::string target)
{
    http::client_request request;
    request.target = std::move(target);
    return request;
}

/// The body of the response, which is bounded by 1000 bytes.
inline boost::asio::awaitable<std::string> ask_pool(http::connection_pool& pool, http::client_request request,
                                                    http::time_limit until)
{
    http::pooled_response response = co_await pool.send(std::move(request), until);
    co_return co_await response.read_all(1000, until);
}

inline boost::asio::awaitable<std::shared_ptr<http::pooled_response>> begin_pool(http::connection_pool& pool,
                                                                                 http::client_request request)
{
    http::pooled_response response = co_await pool.send(std::move(request), http::no_time_limit);
    co_return std::make_shared<http::pooled_response>(std::move(response));
}

/// A pool and its server.
struct pool_fixture {
    explicit pool_fixture(http::connection_options how = {})
    {
        http::url to = http::parse_url("http://" + host());
        pool = std::make_unique<http::connection_pool>(context.get_executor(), std::move(to), std::move(how));
    }

    boost::asio::io_context context;
    scripted_server server{context};
    std::unique_ptr<http::connection_pool> pool;

    /// Comes to the body.
    started<std::string> ask(std::string target = "/", http::time_limit until = http::no_time_limit)
    {
        return started<std::string>(context, ask_pool(*pool, request_for(std::move(target)), until));
    }
    /// Comes to the head.
    started<std::shared_ptr<http::pooled_response>> begin(std::string target = "/")
    {
        return started<std::shared_ptr<http::pooled_response>>(context,
                                                               begin_pool(*pool, request_for(std::move(target))));
    }
    std::string host() const { return "127.0.0.1:" + std::to_string(server.port()); }
    /// What the server gets.
    std::string text(const std::string& target) const
    {
        return "GET " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n";
    }
};

inline http::connection_options connections_up_to(std::size_t connections)
{
    http::connection_options how;
    how.connections = connections;
    return how;
}

} // namespace partyline::test
