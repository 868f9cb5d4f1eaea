#pragma once

#include "access/jwt/verification_key.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::access {

/// The public keys of an issuer. Does not change.
class key_set {
public:
    static constexpr std::size_t max_bytes = std::size_t(64) << 10;
    static constexpr std::size_t max_keys = 64;

    /// What there is for a token.
    struct match {
        /// The key that has to have signed it; null where there is none, or more than one.
        const verification_key* key = nullptr;
        /// Whether a key of that id is here. One that is not may be new.
        bool is_known = false;
    };

    explicit key_set(std::vector<verification_key> keys) noexcept : keys_(std::move(keys)) {}

    std::size_t size() const noexcept { return keys_.size(); }

    /// Finds the key of a token by the id that it names, among those that sign by its algorithm. A token may do without
    /// where there is only one key.
    match find(const std::optional<std::string>& id, jwt_algorithm algorithm) const noexcept;
    bool has(const verification_key& key) const noexcept;

private:
    std::vector<verification_key> keys_;
};

/// The result of reading keys.
struct key_set_reading {
    /// Null where there is a problem.
    std::shared_ptr<const key_set> keys = {};
    /// Why there are none, in plain words: "is not a set of keys (RFC 7517): ...".
    std::string_view problem = {};
};

/// Reads a set of JWKs (RFC 7517 §5). Keys that can't be used here are left out; at least one must be left.
key_set_reading read_key_set(std::string_view text);

} // namespace partyline::access
