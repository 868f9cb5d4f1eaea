#pragma once

#include "mcp/server/calls/rounds.hpp"
#include "mcp/server/server_facts.hpp"
#include "mcp/wire/client_facts.hpp"
#include "mcp/wire/request_members.hpp"

#include <partyline/mcp/detail/call_output.hpp>
#include <partyline/mcp/server/context.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

class server_lifecycle;

namespace detail {

class feature;

/// Leaves a handler that needs an answer which only another request can bring. No `std::exception`, so that handlers
/// which catch those let it pass.
struct needs_answer {};

/// One call of what a server offers, from its params to the text of its answer: the rules of the protocol that do not
/// depend on what the handler is.
///
/// Flow: `open()`, then the handler, then `finish()` with what it has come to.
class served_call {
public:
    served_call(request_context& rpc, const feature& of);
    ~served_call();
    served_call(const served_call&) = delete;
    served_call& operator=(const served_call&) = delete;

    /// Takes the params: they are valid during this call, and the arguments that it returns as long as they are.
    /// `may_ask`: the handler is a coroutine. Throws `rpc_error`, and `resource_not_found`.
    json_view open(json_view params, bool may_ask);
    /// The arguments have been read: what is thrown from here on is the handler's.
    void note_begun() noexcept { reads_arguments_ = false; }

    /// Makes the answer of what `out` has, or of what was thrown: it is the text there. Throws what is to be answered
    /// with an error.
    void finish(call_output& out, const std::exception_ptr& thrown);

    mcp::context& context() noexcept { return context_; }
    request_context& rpc() noexcept { return rpc_; }
    const client_facts& client() const noexcept { return context_.facts(); }
    const feature& offered() const noexcept { return of_; }
    /// Null in the legacy era, and where the handler can't ask.
    rounds* asked_before() noexcept { return rounds_ ? &*rounds_ : nullptr; }
    const rounds* asked_before() const noexcept { return rounds_ ? &*rounds_ : nullptr; }
    /// What the client wants to be told of at least; empty for nothing.
    std::optional<log_level> log_from() const;

    /// Whether progress has got on: it may not be told otherwise.
    bool advance(double done) noexcept;
    /// The URI that was asked for.
    std::string_view uri() const noexcept { return uri_; }

private:
    void open_rounds(const request_members& of);
    state_binding binding();
    static std::string principal_of(const peer_identity& peer);
    void close(call_output& out) const;
    void write_questions(call_output& out);
    void write_failure(call_output& out, std::string_view text);
    void write_thrown(call_output& out, const std::exception_ptr& thrown);
    void write_cancelled(call_output& out);
    void refuse_arguments(call_output& out, const error_object& problem);
    void refuse_question(call_output& out, const missing_capability& missing);
    std::string words_for_unexpected(const std::exception_ptr& thrown);
    [[noreturn]] void throw_not_found() const;
    bool is_tool() const noexcept;
    bool tells_model_of_arguments() const noexcept;
    [[noreturn]] void throw_mismatch(const std::string& wrong) const;

    request_context& rpc_;
    const feature& of_;
    const std::shared_ptr<server_lifecycle> session_; // null where the session has another profile
    mcp::context context_;
    std::string uri_;
    std::string memory_;    // of arguments that are made here
    std::string arguments_; // kept where there may be another round
    std::string principal_; // made when it is asked for
    std::optional<rounds> rounds_;
    std::optional<double> last_progress_;
    bool reads_arguments_ = false; // an `rpc_error` is about them, and no refusal
};

} // namespace detail
} // namespace partyline::mcp
