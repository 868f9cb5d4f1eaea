#include "access/file/read_peers.hpp"
#include "access/file/trusted_file.hpp"
#include "access/file/values.hpp"
#include "access/jwt/object_members.hpp"

#include <boost/json/serialize.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace partyline::access {
namespace {

constexpr std::size_t max_key_bytes = std::size_t(64) << 10;
constexpr std::size_t signer_jwk_depth = 16;

std::shared_ptr<const verification_key> read_signer_jwk(const node& from, std::string text)
{
    const std::optional<object_members> jwk = object_members::read(std::move(text), signer_jwk_depth);
    if (!jwk)
        from.fail("it is no JSON object in which each name is there once");
    if (!jwk->find("d").empty())
        from.fail("this is a private key, which belongs to its signer alone: leave out \"d\"");
    std::optional<verification_key> key = verification_key::read(*jwk, jwt_use::proof);
    if (!key)
        from.fail("a JWK is expected: RSA of 2048 to 8192 bits, P-256, P-384, Ed25519, or oct of at least 32 bytes");
    return std::make_shared<const verification_key>(*std::move(key));
}

trusted_text read_trusted(const node& from, const std::string& path)
try {
    return read_trusted_file(path, max_key_bytes);
} catch (const file_error& failed) {
    from.fail(path + ": " + failed.what());
}

// A JWK, or a public key in PEM.
std::shared_ptr<const verification_key> read_signer_file(const node& from, const std::string& folder)
{
    const std::string name = from.text();
    const std::string path = name.starts_with('/') ? name : folder + name;
    trusted_text file = read_trusted(from, path);
    if (file.text.find("-----BEGIN") == std::string::npos) {
        std::shared_ptr<const verification_key> key = read_signer_jwk(from, std::move(file.text));
        if (key->is_secret() && !file.is_private)
            from.fail(path + ": others can read this secret: chmod go-r");
        return key;
    }
    std::optional<verification_key> key = verification_key::read_pem(file.text);
    if (!key)
        from.fail(path + ": a public key is expected: RSA of 2048 to 8192 bits, P-256, P-384 or Ed25519");
    return std::make_shared<const verification_key>(*std::move(key));
}

signer_entry read_signer(const members& from, const std::string& folder, access_file& into)
{
    signer_entry signer;
    signer.peer = read_peer(from);
    if (from.has("jwk") == from.has("key_file"))
        throw file_error(from.where(), "either jwk or key_file is needed");
    from.read("jwk", [&](const node& one) {
        signer.key = read_signer_jwk(one, boost::json::serialize(one.value));
        into.has_secret = into.has_secret || signer.key->is_secret();
    });
    from.read("key_file", [&](const node& one) { signer.key = read_signer_file(one, folder); });
    signer.id = signer.key->id().value_or(signer.peer.principal);
    return signer;
}

} // namespace

void read_signers(const node& from, const std::string& folder, access_file& into)
{
    seen_keys<std::string> ids("signers");
    from.each([&](const node& entry) {
        const members all(entry, {"principal", "scopes", "until", "jwk", "key_file"});
        signer_entry signer = read_signer(all, folder, into);
        ids.add(entry, signer.id);
        into.signers.push_back(std::move(signer));
    });
}

} // namespace partyline::access
