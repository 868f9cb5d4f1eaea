#include "access/file/read_peers.hpp"
#include "access/file/trusted_file.hpp"
#include "access/file/values.hpp"

#include <boost/json/serialize.hpp>

#include <utility>

namespace partyline::access {
namespace {

std::string read_key_file(const node& from, const std::string& path)
try {
    return read_trusted_file(path, key_set::max_bytes).text;
} catch (const file_error& failed) {
    from.fail(path + ": " + failed.what());
}

std::shared_ptr<const key_set> read_keys(const node& from, const std::string& folder)
{
    const std::string name = from.text();
    const std::string path = name.starts_with('/') ? name : folder + name;
    key_set_reading read = read_key_set(read_key_file(from, path));
    if (!read.keys)
        from.fail(path + ' ' + std::string(read.problem));
    return std::move(read.keys);
}

std::vector<std::string> read_audiences(const node& from)
{
    std::vector<std::string> all;
    from.each([&](const node& one) { all.push_back(one.text()); });
    if (all.empty())
        from.fail("it names nothing");
    return all;
}

issuer_settings read_settings(const members& from, const std::string& folder)
{
    issuer_settings issuer;
    claim_rules& claims = issuer.claims;
    from.require("issuer", [&](const node& one) { claims.issuer = read_url(one); });
    from.require("audiences", [&](const node& one) { claims.audiences = read_audiences(one); });
    from.read("principal", [&](const node& one) { claims.principal = one.text(); });
    from.read("scopes", [&](const node& one) { claims.scopes = one.text(); });
    from.read("prefix",
              [&](const node& one) { claims.prefix = one.value == "" ? std::string() : read_principal(one); });
    from.read("allow_private", [&](const node& one) { issuer.jwks.allow_private = one.flag(); });
    issuer.jwks.max_bytes = key_set::max_bytes;
    if (from.has("jwks_uri") == from.has("jwks_file"))
        throw file_error(from.where(), "either jwks_uri or jwks_file is needed");
    from.read("jwks_uri", [&](const node& one) {
        issuer.jwks.url = read_url(one);
        if (issuer.jwks.url.starts_with("http:") && !issuer.jwks.allow_private)
            one.fail("an address of this machine needs \"allow_private\": true");
    });
    from.read("jwks_file", [&](const node& one) { issuer.keys = read_keys(one, folder); });
    return issuer;
}

// Principals of two issuers must not meet in a rule: what one of them calls "b:alice" is not to be the other's.
void check_prefixes(const node& at, const std::vector<issuer_entry>& before, const claim_rules& claims)
{
    for (std::size_t i = 0; i < before.size(); ++i) {
        const claim_rules& other = before[i].settings.claims;
        const std::string name = "issuers[" + std::to_string(i) + ']';
        if (other.issuer == claims.issuer)
            at.fail("its issuer is that of " + name + ", too");
        if (other.prefix.starts_with(claims.prefix) || claims.prefix.starts_with(other.prefix))
            at.fail("where there are several issuers, no prefix may begin with another: see " + name);
    }
}

} // namespace

void read_issuers(const node& from, const std::string& folder, access_file& into)
{
    from.each([&](const node& entry) {
        const members all(
            entry, {"issuer", "audiences", "jwks_uri", "jwks_file", "principal", "scopes", "prefix", "allow_private"});
        issuer_entry issuer = {read_settings(all, folder), boost::json::serialize(entry.value)};
        check_prefixes(entry, into.issuers, issuer.settings.claims);
        into.issuers.push_back(std::move(issuer));
    });
}

} // namespace partyline::access
