#pragma once

#include "bench/descriptor.hpp"
#include "bench/http/reply_reader.hpp"
#include "bench/inbox.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bench::http {

/// What is said over a connection: HTTP, a message a line, or what nobody listens to.
enum class speech { http, lines, unheard };

/// One connection of the client, which never waits.
class connection {
public:
    /// Connects to a port of 127.0.0.1.
    connection(std::uint16_t port, speech how);

    /// Writes what the socket takes; the rest goes when it takes more. `text` is not copied.
    void send(std::string_view text);
    void send_more();
    bool has_unsent() const noexcept { return !unsent_.empty(); }
    /// Reads what there is. False: the server has closed the connection.
    bool read_some(inbox& into);

    speech how() const noexcept { return how_; }
    int socket() const noexcept { return socket_.get(); }
    const reply_reader& replies() const noexcept { return replies_; }
    /// Where its user stands: nothing of that is the connection's affair.
    std::size_t mark = 0;

private:
    descriptor socket_;
    speech how_;
    std::string_view unsent_;
    reply_reader replies_;
};

} // namespace bench::http
