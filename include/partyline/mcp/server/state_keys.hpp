#pragma once

#include <partyline/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// The keys by which a server signs the states that its clients keep for it between two rounds of a request, and the
/// cursors of its lists. Both are signed, not secret: a client can read them, and cannot change them.
///
/// A server has random keys of its own by default: then a state is valid in the process that made it, for as long as
/// that process runs. Processes that take over for each other (several that share one address, or one that is restarted
/// while its clients go on) are given the same secrets. To change a secret, add the new one at the end, everywhere;
/// then put it in front, everywhere; and take the old one out once the states that it signed have expired.
///
///     mcp::server_options options;
///     options.state_keys = mcp::state_keys(secrets_of_all_processes());
///     mcp::server server("notes", "1.0.0", std::move(options));
class PARTYLINE_EXPORT state_keys {
public:
    /// The least number of bytes of a secret.
    static constexpr std::size_t least_bytes = 32;

    /// The first secret signs, and each one verifies. Throws `std::invalid_argument` when there is none, or one of
    /// fewer than 32 bytes: take 32 random bytes (`openssl rand 32`), not a password.
    explicit state_keys(std::vector<std::string> secrets);

    /// The secrets of a file: base64 (with `+` and `/`), one a line, as of `openssl rand -base64 32`. Throws
    /// `std::invalid_argument` with the number of a line that is no secret, or one of fewer than 32 bytes.
    static state_keys from_text(std::string_view lines);

    /// Makes a random secret.
    static state_keys random();

    /// The secrets, of which the first one signs.
    const std::vector<std::string>& secrets() const noexcept { return secrets_; }

private:
    std::vector<std::string> secrets_;
};

} // namespace partyline::mcp
