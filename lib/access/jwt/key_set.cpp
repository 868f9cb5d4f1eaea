#include "access/jwt/key_set.hpp"

#include <algorithm>
#include <utility>

namespace partyline::access {
namespace {

constexpr std::size_t jwks_depth = 16;

key_set_reading refused(std::string_view problem)
{
    return {nullptr, problem};
}

std::optional<verification_key> read_key(json_view value)
{
    const std::optional<object_members> jwk = object_members::read(std::string(value.text()), jwks_depth);
    return jwk ? verification_key::read(*jwk) : std::nullopt;
}

} // namespace

key_set::match key_set::find(const std::optional<std::string>& id, jwt_algorithm algorithm) const noexcept
{
    if (!id && keys_.size() != 1)
        return {nullptr, true};
    match found;
    for (const verification_key& key : keys_) {
        if (id && key.id() != id)
            continue;
        found.is_known = true;
        if (!key.signs_by(algorithm))
            continue;
        if (found.key) // nobody knows which one is meant
            return {nullptr, true};
        found.key = &key;
    }
    return found;
}

bool key_set::has(const verification_key& key) const noexcept
{
    return std::any_of(keys_.begin(), keys_.end(), [&](const verification_key& one) { return one.is_key_of(key); });
}

key_set_reading read_key_set(std::string_view text)
{
    if (text.size() > key_set::max_bytes)
        return refused("is longer than 64 KiB");
    const std::optional<object_members> document = object_members::read(std::string(text), jwks_depth);
    const auto listed = document ? elements_of(document->find("keys")) : std::nullopt;
    if (!listed)
        return refused("is not a set of keys: a JSON object with an array \"keys\"");
    if (listed->size() > key_set::max_keys)
        return refused("has more than 64 keys");
    std::vector<verification_key> keys;
    for (const json_view value : *listed)
        if (std::optional<verification_key> key = read_key(value))
            keys.push_back(std::move(*key));
    if (keys.empty())
        return refused(
            "has no key that can be used: RSA of 2048 to 8192 bits, P-256, P-384 or Ed25519, for signatures");
    return {std::make_shared<const key_set>(std::move(keys)), {}};
}

} // namespace partyline::access
