#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <thread>

namespace call::test {

/// A web server that gives one answer to one request, also to one that begins WebSocket.
class web_server {
public:
    explicit web_server(std::string answer);
    ~web_server();

    std::string url(const std::string& scheme = "http") const;
    /// The request, once it has been answered; empty where there was none.
    std::string asked();

private:
    void stop_accepting();
    void serve(const std::string& answer);

    boost::asio::io_context context_;
    boost::asio::ip::tcp::acceptor acceptor_;
    std::string asked_; // of the thread, until that has ended
    std::jthread thread_;
};

} // namespace call::test
