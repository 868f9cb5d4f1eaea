#pragma once

#include <partyline/config.hpp>
#include <partyline/session/call_middleware.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::access {

class private_key;

/// A key that signs calls. Copies share it.
///
/// Thread safety: any number of threads may sign by one key at the same time.
class PARTYLINE_EXPORT signing_key {
public:
    /// Reads a private key: a JWK (RFC 7517) of Ed25519, P-256 or P-384 with its private part (`d`), or of a secret of
    /// 32 to 1,024 bytes that the server has as well (`oct`); or a private key in PEM of these kinds or RSA, without a
    /// password. The `kid` of a JWK tells the server which of its signers this is; where there is none, the server
    /// takes the only key of the peer's principal. Throws `std::runtime_error`, with a text that shows nothing of the
    /// key.
    explicit signing_key(std::string_view text);

    /// For the library.
    const std::shared_ptr<const private_key>& get() const noexcept { return key_; }

private:
    std::shared_ptr<const private_key> key_;
};

/// Makes call middleware that signs calls and notifications, by a proof in their params' `_meta`; a call over HTTP
/// whose params are an array by the field `Partyline-Proof` of its POST. The proof covers the method, the time, and the
/// other params but for `workDoneToken` and `partialResultToken`. A proof is good once, for a minute, so a call that is
/// tried again has to pass this middleware again.
///
///     const partyline::access::signing_key key(read_private_file("agent-7.key"));
///     options.around_calls.add(partyline::access::sign_calls(key));
///
/// Middleware after this one may change only `_meta` and these two members. A call whose params have no canonical form
/// (RFC 8785) fails with `errc::bad_params`: params with a number that no double holds, such as 9007199254740993, with
/// a duplicate name, or with a lone surrogate. So does a call whose params are an array where the proof has no other
/// place: a notification, an element of a batch, and any call on a stream or a WebSocket.
PARTYLINE_EXPORT std::function<void(peer_call&)> sign_calls(signing_key key);

/// A pair of keys of one signer.
struct new_key {
    /// The private key, as a JWK in one line: for `signing_key`.
    std::string private_jwk = {};
    /// The public key, as a JWK: for the server's access file.
    std::string public_jwk = {};
};

/// Makes a pair of Ed25519 keys with this `kid`. Throws `std::system_error` where libcrypto makes none.
PARTYLINE_EXPORT new_key make_key(std::string_view id);

} // namespace partyline::access
