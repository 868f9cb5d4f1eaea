#pragma once

#include <partyline/access/authenticator.hpp>
#include <partyline/config.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/transport/document_fetcher.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::access {

class gate_core;

/// The judgement of a gate's rules about a call, explained for people.
struct explanation {
    /// The answer.
    access_answer answer = access_answer::hidden;
    /// The reason, in one line such as "lacks scope files:write: rules[2]" or "allowed: rules[0]".
    std::string text = {};
    /// Whether the file has rules: without them nothing is judged.
    bool is_by_rules = true;
};

/// Authenticates peers by an access file, and authorizes their calls by its rules. The file's format is described in
/// the guide ("Who may call what").
///
///     const auto gate = std::make_shared<partyline::access::gate>("access.json");
///     partyline::http::server_options options;
///     options.access = gate;
///
/// Thread safety: all members may be called from any thread, at the same time, but for `add` and `fetch_by`, which are
/// called before all others.
class PARTYLINE_EXPORT gate final : public access_control {
public:
    /// Reads the file. Throws `std::runtime_error` with a text that names file, place and reason:
    /// "access.json: rules[3].tools[0]: ...".
    explicit gate(std::string file);
    ~gate() override;

    /// Asks `other` for tokens that neither the file nor one of its issuers knows.
    void add(std::shared_ptr<authenticator> other);
    /// Fetches the keys of issuers with a `jwks_uri` by this function (`http::make_document_fetcher`), at once for the
    /// first time. Without a fetcher their tokens are answered `unavailable`.
    void fetch_by(document_fetcher fetcher);
    /// Sets the function that is called with problems which are reported nowhere else, such as keys that can't be
    /// fetched: one line, without its end. Must not throw; called from any thread. Empty: not called.
    void log_to(std::function<void(std::string_view)> log);

    /// Reads the file again, all or nothing: where the file has an error, throws as the constructor does, and the
    /// earlier contents stay in force.
    void reload();

    /// Judges a call of a peer with this `principal` and `scopes` as `authenticate` and the view would. A peer without
    /// a principal, or with "anonymous" and no `source`, is a peer without credentials.
    explanation explain(const peer_identity& peer, std::string_view method, std::string_view key = {}) const;

    // access_control; `renew` takes grants of this gate alone
    authentication authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                std::chrono::system_clock::time_point now) noexcept override;
    authentication renew(const std::shared_ptr<const access_grant>& grant,
                         std::chrono::system_clock::time_point now) noexcept override;
    std::shared_ptr<const protected_resource> resource() const noexcept override;

private:
    std::shared_ptr<gate_core> core_;
};

/// A random token, and its entry for the access file.
struct new_token {
    /// 43 characters, of 256 random bits.
    std::string token = {};
    /// The SHA-256 of the token in hexadecimal digits: the file has it in place of the token.
    std::string sha256 = {};
};

/// Makes a token. Throws `std::system_error` where the system has no random bytes.
PARTYLINE_EXPORT new_token make_token();

/// Checks the text of an access file, such as entries that a program is about to write. Throws `std::runtime_error`
/// with the place and the reason: "tokens[0].principal: ...". A relative `jwks_file` is looked for in the current folder.
PARTYLINE_EXPORT void check_access_text(const std::string& text);

} // namespace partyline::access
