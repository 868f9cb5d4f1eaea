#pragma once

#include "http/serve/connection.hpp"

#include <boost/intrusive/list.hpp>

namespace partyline::http {

/// The connections of a server, by what they wait for: those that wait for a request stand in the order in which they began
/// to, so that ten thousand of them cost a look at the first, and only those under way are looked at one by one.
///
/// Thread safety: none.
class timed_connections {
public:
    bool empty() const noexcept { return fresh_.empty() && handshaking_.empty() && idle_.empty() && busy_.empty(); }
    /// The phase of a connection has changed, and it stands in the list of the last one, or in none.
    void place(connection& one, connection::phase was, connection::phase now) noexcept;
    /// Stops those whose handshake has taken longest, until there are no more than so many.
    void bound_handshakes(std::size_t most) noexcept;
    void on_tick(connection::clock::time_point now);
    void stop_all() noexcept;

private:
    using list = boost::intrusive::list<connection>;
    list* list_of(connection::phase at) noexcept;

    list fresh_;
    list handshaking_;
    list idle_;
    list busy_;
};

} // namespace partyline::http
