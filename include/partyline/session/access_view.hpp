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

/// What an `access_view` says of a call.
struct access_verdict {
    /// Whether the call is served.
    access_answer is = access_answer::allowed;
    /// Of `lacks_scope`: the scopes that the call needs, all of them. Valid as long as the view.
    std::span<const std::string> required = {};
};

/// What one peer may call: authorization as a session asks for it, see `session_options::access`. It does not change; a
/// session whose peer's rights change gets another view: `session::use_access`.
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

    /// Whether the peer may call `method`. `key` is what the params of the call name, where the method stands for
    /// several things: a tool ("tools/call"), a prompt ("prompts/get"), the URI of a resource ("resources/read"); empty
    /// of any other method. Called for each request and notification that a method was found for, on the session's
    /// executor: it should not wait.
    virtual access_verdict judge(std::string_view method, std::string_view key) const noexcept = 0;
};

/// The error of a call that lacks scopes: -31003 "Insufficient scope", with the scopes that it takes in `data.required`.
/// For handlers that reach things by name:
///
///     partyline::task<std::string> read(partyline::request_context& context, std::string path)
///     {
///         if (const auto view = context.access()) {
///             const partyline::access_verdict verdict = view->judge("read", path);
///             if (verdict.is == partyline::access_answer::lacks_scope)
///                 throw partyline::rpc_error(partyline::insufficient_scope(verdict.required));
///         }
///         co_return contents_of(path);
///     }
PARTYLINE_EXPORT error_object insufficient_scope(std::span<const std::string> required);

} // namespace partyline
