#pragma once

#include <string>

namespace command_line {

// Each reads a file, or a pipe, that its owner alone can read. Throws `std::runtime_error` with a text for the user,
// which never shows what the file holds.

/// Reads a Bearer token: the first line.
std::string read_token(const std::string& file);

/// Reads the secret that a client has at an authorization server: the first line.
std::string read_secret(const std::string& file);

/// Reads a private key, in PEM or as a JWK: all of it.
std::string read_key(const std::string& file);
/// The same for the key of `--sign-key`.
std::string read_signing_key(const std::string& file);

/// The same for those of `--state-keys`.
std::string read_state_keys(const std::string& file);

/// Checks a file of NATS credentials, which another library reads.
void check_credentials(const std::string& file);

} // namespace command_line
