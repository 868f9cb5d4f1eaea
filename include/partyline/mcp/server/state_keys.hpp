#pragma once

#include <partyline/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// What a server signs by: the states that its clients keep for it between two rounds of a request, and the cursors of
/// its lists. Both are signed, not secret: a client can read them, and cannot change them.
///
/// A server has random keys of its own by default: then a state is good in the process that made it, for as long as
/// that runs. Processes that stand in for each other (several behind one address, or one that is started anew under its
/// clients) are given the same secrets. To change a secret, add the new one at the end, everywhere; then put it in
/// front, everywhere; and take the old one out once the states that it signed have expired.
///
///     mcp::server_options options;
///     options.state_keys = mcp::state_keys(secrets_of_all_processes());
///     mcp::server server("notes", "1.0.0", std::move(options));
class PARTYLINE_EXPORT state_keys {
public:
    /// A secret has at least so many bytes.
    static constexpr std::size_t least_bytes = 32;

    /// The first secret signs, and each one verifies. Throws `std::invalid_argument` when there is none, or one of
    /// fewer than 32 bytes: take 32 random bytes (`openssl rand 32`), not a password.
    explicit state_keys(std::vector<std::string> secrets);

    /// The secrets of a file: base64 (with `+` and `/`), one a line, as of `openssl rand -base64 32`. Throws
    /// `std::invalid_argument` with the number of the line that is none, or is of fewer than 32 bytes.
    static state_keys from_text(std::string_view lines);

    /// A secret that nobody else has.
    static state_keys random();

    /// The first one signs.
    const std::vector<std::string>& secrets() const noexcept { return secrets_; }

private:
    std::vector<std::string> secrets_;
};

} // namespace partyline::mcp
