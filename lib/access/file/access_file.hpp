#pragma once

#include "access/digest.hpp"
#include "access/file/name_pattern.hpp"
#include "access/jwt/issuers.hpp"
#include "access/jwt/verification_key.hpp"

#include <partyline/session/request_quota.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace partyline::access {

/// Whom an entry of the file makes of credentials.
struct named_peer {
    std::string principal = {};
    std::vector<std::string> scopes = {};
    std::optional<std::chrono::system_clock::time_point> until = {};
    bool operator==(const named_peer&) const = default;
};

struct token_entry {
    token_digest sha256 = {};
    named_peer peer = {};
};

struct certificate_entry {
    std::string subject = {};
    named_peer peer = {};
};

struct user_entry {
    ::uid_t uid = 0;
    named_peer peer = {};
};

struct signer_entry {
    std::shared_ptr<const verification_key> key = {};
    /// The `kid` that its proofs name: of its key, else its principal.
    std::string id = {};
    named_peer peer = {};
};

/// An issuer, and its text in the file, by which a later reading knows whether it is still the same.
struct issuer_entry {
    issuer_settings settings = {};
    std::string text = {};
};

/// What may be called, and by whom: a call fits where a name of its kind does.
struct rule {
    std::vector<name_pattern> methods = {};
    std::vector<name_pattern> tools = {};
    std::vector<name_pattern> prompts = {};
    std::vector<name_pattern> resources = {};
    std::vector<std::string> scopes = {};
    /// Unset: any but anonymous ones, which have to be named.
    std::optional<std::vector<name_pattern>> principals = {};
    /// The call has to be signed.
    bool proof = false;
    bool operator==(const rule&) const = default;
};

struct limit_entry {
    /// Unset: all.
    std::optional<std::vector<name_pattern>> principals = {};
    quota_limits limits = {};
};

/// The content of an access file, checked.
struct access_file {
    std::string resource = {};
    bool anonymous = false;
    std::vector<issuer_entry> issuers = {};
    std::vector<token_entry> tokens = {};
    std::vector<certificate_entry> certificates = {};
    std::vector<user_entry> users = {};
    std::vector<signer_entry> signers = {};
    /// The text has a secret, so that nobody else may read the file.
    bool has_secret = false;
    /// Direct ones, as the file has them.
    std::map<std::string, std::vector<std::string>> implies = {};
    /// Unset: everything may be called.
    std::optional<std::vector<rule>> rules = {};
    std::vector<limit_entry> limits = {};
};

/// The principal of who shows nothing, as rules and limits name it.
inline constexpr std::string_view anonymous_principal = "anonymous";

inline constexpr std::size_t max_file_bytes = std::size_t(1) << 20;

/// Reads the text of an access file; a `jwks_file` and a `key_file` are looked for in `folder`. Throws `file_error`.
access_file parse_access_file(const std::string& text, const std::string& folder);

/// Reads the file. Throws `std::runtime_error` with its name, the place and the reason.
access_file read_access_file(const std::string& path);

} // namespace partyline::access
