#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace partyline {

struct access_grant;
struct peer_identity;

/// Whether a peer may call something.
enum class access_answer : std::uint8_t {
    allowed,
    /// The feature does not exist for this peer: a request is answered exactly as one for a method (tool, prompt,
    /// resource) that does not exist, a notification is dropped, and lists leave it out.
    hidden,
    /// The peer may know of the feature, and lacks a scope: -31003 "Insufficient scope".
    lacks_scope,
    /// The call has to be signed: a request without a valid proof is answered -31006, a notification is dropped. See
    /// `access_view::check_proof`.
    needs_proof,
};

/// The answer of an `access_view`.
struct access_verdict {
    /// Whether the call is served.
    access_answer is = access_answer::allowed;
    /// For `lacks_scope`: all scopes that the call needs. Valid as long as the view.
    std::span<const std::string> required = {};
};

/// Returns whether a call with a right proof is served. Where it returns false, since there is no room for the call or
/// its signer may not make it, the proof does not count as used: the call may come again. `signer`: the grant of the
/// signer where the caller has no principal, for this call alone; else null.
using proof_consent = std::function<bool(const std::shared_ptr<const access_grant>& signer)>;

/// A call or a notification that needs a proof.
struct unproven_call {
    /// The method, as the peer called it.
    std::string_view method = {};
    /// The params as they came, among them the proof; empty where there are none.
    json_view params = {};
    /// The proof of a call whose params are an array, which have no place for it: the field `Partyline-Proof` of its
    /// POST. Empty: there is none.
    std::string_view proof_beside = {};
    /// The peer of the call's conversation, as far as it is known; null where it is not. Where the peer has a
    /// principal, the signer has to be the same one. Else the signer may be any.
    const peer_identity* peer = nullptr;
    /// Called when the whole proof has been found right, and before the proof counts as used. Empty: the call is
    /// served.
    proof_consent consent = {};
};

/// The result of the check of a proof.
struct proof_verdict {
    /// The result of a check.
    enum class outcome : std::uint8_t {
        valid,   ///< it counts as used: the same proof is not valid again
        refused, ///< for `reason`: -31006
        busy,    ///< it can't be checked now: -31001 "Server busy"
    };
    /// The outcome.
    outcome is = outcome::refused;
    /// For a refused proof, `data.reason` of the answer: "missing" where there is none, else "signature", "key",
    /// "method", "params", "time", "replayed". A literal.
    std::string_view reason = "missing";
};

/// Authorizes the calls of one peer, see `session_options::access`. A view does not change: a session whose peer's
/// rights change gets another one by `session::use_access`.
///
///     struct readers_only final : partyline::access_view {
///         partyline::access_verdict judge(std::string_view method, std::string_view key) const noexcept override
///         {
///             const bool is_harmless = method != "tools/call" || key.starts_with("read_");
///             return {is_harmless ? partyline::access_answer::allowed : partyline::access_answer::hidden};
///         }
///     };
///
/// Thread safety: all members may be called from any thread, at the same time.
class PARTYLINE_EXPORT access_view {
public:
    virtual ~access_view() = default;

    /// Returns whether the peer may call `method`. Where the method stands for several features, `key` is the one that
    /// the params name: a tool ("tools/call"), a prompt ("prompts/get"), a resource by its percent-decoded URI
    /// ("resources/read"); else it is empty.
    ///
    /// The session calls this on its executor, so it should not wait: for each request and notification that a method
    /// was found for, except for cancels, progress, requests that the protocol itself answers (such as `initialize`),
    /// and features that do not exist; and for each entry of a list. Completions are judged as their prompt or resource
    /// is, subscriptions and updates as `resources/read`.
    virtual access_verdict judge(std::string_view method, std::string_view key) const noexcept = 0;

    /// Checks the proof of a call that `judge` has answered `needs_proof`, once, before its handler starts. Where the
    /// caller has no principal, `unproven_call::consent` gets the grant of the signer: its view judges this call, its
    /// quota counts it, too, and handlers and `session_options::on_served` have its peer. Nothing of the session
    /// changes. The session calls this on its executor, so it should not wait. `std::bad_alloc` refuses the call with
    /// -32603. By default no proof is valid: "key".
    virtual proof_verdict check_proof(const unproven_call& call) const;
};

/// Makes the error of a call that lacks scopes: -31003 "Insufficient scope", with `required` in `data.required`. For
/// handlers that check names of their own:
///
///     partyline::task<std::string> read(partyline::request_context& context, std::string path)
///     {
///         if (const auto view = context.access()) {
///             const partyline::access_verdict verdict = view->judge("read", path);
///             if (verdict.is == partyline::access_answer::hidden)
///                 throw no_such_file(path); // as for one that there is not
///             if (verdict.is == partyline::access_answer::lacks_scope)
///                 throw partyline::rpc_error(partyline::insufficient_scope(verdict.required));
///         }
///         co_return contents_of(path);
///     }
PARTYLINE_EXPORT error_object insufficient_scope(std::span<const std::string> required);

} // namespace partyline
