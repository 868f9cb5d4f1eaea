#pragma once

#include "line_reader.hpp"
#include "unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <source_location>
#include <string>
#include <string_view>

namespace partyline::test {

// Connected sockets. Throw `std::system_error` when they can't be.
unique_fd connect_unix(const std::filesystem::path& path);
void connect_unix(const unique_fd& socket, const std::filesystem::path& path);
/// On 127.0.0.1.
unique_fd connect_tcp(std::uint16_t port);

/// A peer on a socket, line by line, on the calling thread. Every wait ends after `patience` with an exception.
class socket_client {
public:
    using here = std::source_location;

    explicit socket_client(unique_fd socket) : lines_(std::move(socket)) {}
    explicit socket_client(const std::filesystem::path& path) : socket_client(connect_unix(path)) {}
    explicit socket_client(std::uint16_t port) : socket_client(connect_tcp(port)) {}

    /// As it is: lines with their newlines.
    void send(std::string_view text);
    std::string read_line();
    /// The next line is exactly `text`.
    void expect(std::string_view text, here at = here::current());
    /// A request sent now is what is answered next.
    void expect_service(here at = here::current());
    /// Nothing more comes: the server has closed the connection.
    void expect_end(here at = here::current());

    line_reader& output() { return lines_; }
    bool has_output() const;
    void close_send();
    void close() { lines_.close(); }

private:
    line_reader lines_;
    std::uint64_t probes_ = 1'000'000;
};

/// The first of them that has something to read, or that has been left. Waits for it.
std::size_t first_ready(std::deque<socket_client>& clients);

} // namespace partyline::test
