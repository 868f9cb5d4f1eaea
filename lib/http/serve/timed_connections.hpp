#pragma once

#include "http/serve/connection.hpp"
#include "http/serve/origin_queue.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/intrusive/list.hpp>

#include <cstddef>

namespace partyline::http {

/// The connections of a server, by what they wait for: those that wait for a request stand in the order in which they
/// began to, so that ten thousand of them cost a look at the first, and only those under way are looked at one by one.
///
/// Thread safety: none.
class timed_connections {
public:
    bool empty() const noexcept { return fresh_.empty() && handshaking_.empty() && idle_.empty() && busy_.empty(); }
    /// Its next phase is `handshaking`: where there are too many, it counts as one that comes from there.
    void expect_handshake(connection& one, const boost::asio::ip::address& from) { handshakes_.add(one, from); }
    /// The phase of a connection has changed, and it stands in the list of the last one, or in none.
    void place(connection& one, connection::phase was, connection::phase now) noexcept;
    /// Stops handshakes until there are no more than so many: always of the origin that has most, the one that has
    /// taken longest.
    void bound_handshakes(std::size_t most) noexcept;
    void on_tick(connection::clock::time_point now);
    /// The time to end in order is over.
    void give_up() noexcept;

private:
    using list = boost::intrusive::list<connection>;
    list* list_of(connection::phase at) noexcept;

    list fresh_;
    list handshaking_;
    origin_queue handshakes_; // the same
    list idle_;
    list busy_;
};

} // namespace partyline::http
