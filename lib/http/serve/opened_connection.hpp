#pragma once

#include "http/access/host_rules.hpp"
#include "http/serve/working_set.hpp"
#include "transport/socket/socket_channel.hpp"

#include <partyline/session/peer_identity.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>

#include <cstddef>

namespace partyline::http {

/// Who is at the other end of a connection, and how this server was reached.
struct connected_peer {
    peer_identity identity;
    reach by = reach::network;
};

/// The unspecified one where there is none.
inline boost::asio::ip::address address_of(const peer_identity& peer)
{
    return peer.address ? peer.address->ip : boost::asio::ip::address();
}

/// Reads what there is, to stand behind what has come already. Fails with `would_block` where there is nothing.
inline std::size_t read_some(socket_channel& from, working_set& to, error_code& failed)
{
    constexpr std::size_t at_once = std::size_t(16) << 10;
    const std::size_t count = from.read_some(boost::asio::buffer(to.in.prepare(at_once), at_once), failed);
    to.in.commit(count);
    return count;
}

/// A connection whose opening is over, for the stage that speaks HTTP.
struct opened_connection {
    socket_channel channel;
    connected_peer peer;
    borrowed_set work;        // with what has come and was not taken
    std::size_t requests = 0; // before
};

} // namespace partyline::http
