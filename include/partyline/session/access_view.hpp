#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace partyline {

/// Whether a peer may call something.
enum class access_answer : std::uint8_t {
    allowed,
    /// It does not exist for this peer: a request is answered exactly as one for a method (tool, prompt, resource) that
    /// there is not, a notification is dropped, and lists leave it out.
    hidden,
    /// The peer may know of it, and lacks a scope: -31003 "Insufficient scope".
    lacks_scope,
};

/// The answer of an `access_view`.
struct access_verdict {
    /// Whether the call is served.
    access_answer is = access_answer::allowed;
    /// For `lacks_scope`: all scopes that the call needs. Valid as long as the view.
    std::span<const std::string> required = {};
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
    /// was found for, except for cancels, progress, what the protocol itself answers (such as `initialize`) and
    /// features that do not exist; and for each entry of a list. Completions are judged as their prompt or resource is,
    /// subscriptions and updates as `resources/read`.
    virtual access_verdict judge(std::string_view method, std::string_view key) const noexcept = 0;
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
