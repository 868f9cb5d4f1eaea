#include "access/file/read_peers.hpp"

#include "access/file/values.hpp"

#include <limits>

namespace partyline::access {
named_peer read_peer(const members& from)
{
    named_peer peer;
    from.require("principal", [&](const node& one) { peer.principal = read_principal(one); });
    from.read("scopes", [&](const node& one) { peer.scopes = read_scopes(one); });
    from.read("until", [&](const node& one) { peer.until = read_time(one); });
    return peer;
}

void read_tokens(const node& from, access_file& into)
{
    seen_keys<token_digest> seen("tokens");
    from.each([&](const node& entry) {
        const members all(entry, {"sha256", "principal", "scopes", "until"});
        token_entry token;
        all.require("sha256", [&](const node& one) {
            const auto digest = read_hex(one.text());
            if (!digest)
                one.fail("the SHA-256 of a token is expected, in 64 hexadecimal digits");
            seen.add(one, *digest);
            token.sha256 = *digest;
        });
        token.peer = read_peer(all);
        into.tokens.push_back(std::move(token));
    });
}

void read_certificates(const node& from, access_file& into)
{
    seen_keys<std::string> seen("certificates");
    from.each([&](const node& entry) {
        const members all(entry, {"subject", "principal", "scopes"});
        certificate_entry certificate;
        all.require("subject", [&](const node& one) {
            certificate.subject = one.text();
            seen.add(one, certificate.subject);
        });
        certificate.peer = read_peer(all);
        into.certificates.push_back(std::move(certificate));
    });
}

void read_users(const node& from, access_file& into)
{
    seen_keys<::uid_t> seen("users");
    from.each([&](const node& entry) {
        const members all(entry, {"uid", "principal", "scopes"});
        user_entry user;
        all.require("uid", [&](const node& one) {
            constexpr auto most = std::numeric_limits<::uid_t>::max() - 1; // which stands for nobody
            user.uid = static_cast<::uid_t>(one.whole_number(0, most));
            seen.add(one, user.uid);
        });
        user.peer = read_peer(all);
        into.users.push_back(std::move(user));
    });
}

} // namespace partyline::access
