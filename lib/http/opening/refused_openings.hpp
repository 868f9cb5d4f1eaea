#pragma once

#include "server/log_throttle.hpp"

#include <partyline/session/peer_identity.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <functional>
#include <string_view>

namespace partyline::http {

/// Tells the log of connections that begin with what is not served there: once for each address (of
/// IPv6, each network), as long as these are few; of more, when no new one has come for ten seconds.
/// Thread safety: none.
class refused_openings {
public:
    void note(const peer_identity& from, const std::function<void(std::string_view)>& log) noexcept;

private:
    bool is_news(const boost::asio::ip::address& origin);

    static constexpr std::size_t most = 1024;

    boost::unordered_flat_set<boost::asio::ip::address, std::hash<boost::asio::ip::address>> known_;
    bool is_local_known_ = false;
    log_throttle newcomers_;
};

} // namespace partyline::http
