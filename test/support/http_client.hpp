#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace partyline::test {

/// Runs what there is on a context, until `done`; throws when that takes too long.
void run_until(boost::asio::io_context& context, const std::function<bool()>& done);

/// A response as its client sees it.
struct http_response {
    int status = 0;
    std::string head; // all of it, in small letters
    std::string body; // without the chunks that it came in

    /// The value of a field; empty without one. `name` is in small letters.
    std::string field(std::string_view name) const;
};

/// One connection of a client of HTTP, on the thread that runs its server's context, or any other one. Every wait is
/// bounded.
class http_client {
public:
    http_client(boost::asio::io_context& context, std::uint16_t port);

    void send(std::string_view text);
    /// Sends a POST of JSON with these fields besides.
    void post(std::string_view path, std::string_view body, std::string_view fields = {});
    /// What that sends.
    static std::string post_of(std::string_view path, std::string_view body, std::string_view fields = {});
    void request(std::string_view method, std::string_view path, std::string_view fields = {});
    /// The next response, whole.
    http_response response();
    http_response ask(std::string_view path, std::string_view body, std::string_view fields = {})
    {
        post(path, body, fields);
        return response();
    }
    /// The head of the next response, whose body comes in chunks.
    http_response head();
    /// What comes of that body until `until` has come; without the chunks.
    std::string read_until(std::string_view until);
    /// The next bytes as they come, when so many have; fewer where the server closes the connection before.
    std::string read_bytes(std::size_t count);
    /// All that comes until the server closes the connection.
    std::string read_to_end();
    /// The server has closed the connection, and nothing has come before.
    bool is_closed();
    void close() { socket_.close(); }
    /// Ends it as if the machine were gone.
    void reset();

private:
    bool read_some();
    std::string take_chunk();

    boost::asio::io_context* context_;
    boost::asio::ip::tcp::socket socket_;
    std::string read_;
    std::string body_; // of an answer in chunks
    bool has_ended_ = false;
};

} // namespace partyline::test
