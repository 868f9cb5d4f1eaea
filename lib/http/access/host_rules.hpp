#pragma once

#include "http/access/authority.hpp"
#include "http/wire/request_head.hpp"
#include "transport/socket/listener.hpp"

#include <partyline/session/peer_identity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// From where the address can be reached that a connection came to: from this machine by TCP, from a network, or by a
/// Unix socket.
enum class reach : std::uint8_t { loopback, network, local };

reach reach_of(const listener::socket& socket, const peer_identity& peer);

/// Which hosts a server may be asked for, and by pages of which origins. A web page may have its own name point to this
/// machine (DNS rebinding), and then asks for that name; or it just makes requests here, and then has an origin.
/// Thread safety: changes by `allow()` alone.
class host_rules {
public:
    /// Hosts as "example.org", which is right with any port, or "example.org:8443"; origins as browsers write them,
    /// "https://example.org:8443". Throws `std::invalid_argument` for what is neither, since it would never fit.
    host_rules(const std::vector<std::string>& hosts, const std::vector<std::string>& origins);

    /// One more host: an address that is listened on, which no name can be made to stand for.
    void allow(const std::string& host) { hosts_.push_back(read_host(host)); }

    /// Why a request is refused, in words for its client; empty when it is not.
    std::optional<std::string> refuse(const request_head& head, reach came_by) const;
    /// The same where pages of all origins may ask.
    std::optional<std::string> refuse_host(std::string_view host, reach came_by) const;
    /// Whether pages of this origin are listed.
    bool allows_origin(std::string_view origin) const;

private:
    struct allowed_host {
        std::string name; // in lower case
        std::string port; // empty: any
    };
    static allowed_host read_host(const std::string& text);
    bool allows_host(const authority& host, reach came_by) const noexcept;
    std::optional<std::string> refuse_page(const request_head& head, std::string_view origin) const;

    std::vector<allowed_host> hosts_;
    std::vector<std::string> origins_; // in lower case, without the port that is their scheme's own
};

} // namespace partyline::http
