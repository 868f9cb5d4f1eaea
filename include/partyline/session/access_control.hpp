#pragma once

#include <partyline/config.hpp>
#include <partyline/session/access_view.hpp>
#include <partyline/session/peer_identity.hpp>
#include <partyline/session/request_quota.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

/// The identity and the rights of an authenticated peer. One object stands for one set of credentials, for as long as
/// nothing about them changes: equal pointers are the same peer with the same rights.
struct access_grant {
    /// The peer; not null. The `principal` of the peer may be empty where anonymous peers are admitted.
    std::shared_ptr<const peer_identity> peer = {};
    /// The calls that it may make. Null: all.
    std::shared_ptr<const access_view> view = {};
    /// The quota of the peer, shared by all its conversations. Null: there is none.
    std::shared_ptr<request_quota> quota = {};
};

/// How an attempt to authenticate has ended.
enum class authentication_outcome : std::uint8_t {
    admitted,       ///< the peer is known, or anonymous peers are admitted
    missing,        ///< no credentials were shown, and anonymous peers are not admitted
    malformed,      ///< not the one Bearer token that is expected
    invalid,        ///< an unknown or revoked token, or one whose signature is wrong
    expired,        ///< a token that was valid once
    wrong_audience, ///< a valid token for another server
    unavailable, ///< the token can't be checked now, such as while an issuer's keys are fetched: to be tried again soon
    throttled,   ///< too many attempts from this address have failed: credentials that are not known yet are refused
};

/// The result of an attempt to authenticate.
struct authentication {
    /// How it has ended.
    authentication_outcome outcome = authentication_outcome::missing;
    /// The grant of a peer that is admitted; null otherwise.
    std::shared_ptr<const access_grant> grant = {};
};

/// The description of a server that wants tokens, as RFC 9728 (OAuth 2.0 Protected Resource Metadata) publishes it.
struct protected_resource {
    /// The server's own URL, which tokens name as their audience.
    std::string resource = {};
    /// The issuers of its tokens, by their URLs.
    std::vector<std::string> authorization_servers = {};
    /// The scopes that clients may ask for.
    std::vector<std::string> scopes_supported = {};
};

/// Authenticates the peers of a server, and grants each of them its rights: see `http::server_options::access`,
/// `server_options::access` and `stdio_options::access`. The library's own is `access::gate`, which reads a file.
///
/// Thread safety: all members may be called from any thread, at the same time. No member may wait.
class PARTYLINE_EXPORT access_control {
public:
    virtual ~access_control() = default;

    /// Authenticates a peer by its credentials: by `authorization`, the value of the HTTP field of that name, where it
    /// was sent, and else by `from`, the facts about its connection: the subject of its certificate (`principal`), the
    /// user of a Unix socket or of a process (`local`). A wrong token is refused, also where the connection alone would
    /// suffice. The same credentials get the same grant until something about them changes.
    virtual authentication authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                        std::chrono::system_clock::time_point now) noexcept = 0;

    /// Checks a grant again, for conversations that last: the same grant where nothing has changed, another one of the
    /// same peer where its rights have, `unavailable` where it is to hold until it can be checked or expires, and any
    /// other outcome to end it. Quick where nothing has changed: called 4 times a second for each conversation.
    virtual authentication renew(const std::shared_ptr<const access_grant>& grant,
                                 std::chrono::system_clock::time_point now) noexcept = 0;

    /// Describes the server to OAuth clients. Null: there is no description.
    virtual std::shared_ptr<const protected_resource> resource() const noexcept { return {}; }
};

} // namespace partyline
