#pragma once

#include "http_run.hpp"
#include "support/unique_fd.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace partyline::test {

/// A client with connections of its own, which says what is in a script. It makes no use of Asio, and what it allocates
/// never fails.
class talking_client {
public:
    talking_client(std::uint16_t port, const http_script& played);
    ~talking_client();

    /// Hears what has come, or says what is next; false where there is nothing to do.
    bool advance();
    /// It has said all, and each connection has heard all that it is to hear, or was closed.
    bool is_over() const;
    const std::string& heard(std::size_t which) const { return connections_[which].heard; }
    void tell(std::vector<std::string>& heard, std::vector<bool>& was_closed) const;

private:
    struct connection {
        unique_fd socket;
        std::string unsent;
        std::string heard;
        bool was_closed = false;
    };
    bool hear(connection& from);
    bool say(connection& to);
    bool is_time_for(const http_piece& piece) const;
    std::string session() const;

    const http_script& played_;
    std::vector<connection> connections_;
    std::size_t next_ = 0; // of the pieces
};

} // namespace partyline::test
