#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/detail/call_output.hpp>
#include <partyline/mcp/server/context.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/detail/task_root.hpp>
#include <partyline/session/handler.hpp>

namespace partyline::mcp::detail {

class feature;

/// Serves calls of one thing that a server offers: a tool, a resource, a template or a prompt. Their common code is
/// compiled once; templates read the arguments and call the user's function.
class PARTYLINE_EXPORT call_handler : public handler {
public:
    using handler::handler;

    /// Sets the feature that the handler belongs to, before anything is served; `of` lives as long.
    void belong_to(const feature& of) noexcept { of_ = &of; }

    void call(request_context& rpc, json_view params, result_writer& out) final;
    partyline::detail::task_root start(request_context& rpc, json_view params) final;

protected:
    /// Called for a plain function: reads the arguments, an object, and gives `out` the result. The function calls
    /// `note_begun` in between: an `rpc_error` that is thrown before that is about the arguments.
    virtual void invoke(context& c, json_view arguments, call_output& out);
    /// Called for a coroutine: reads the arguments, and makes its task, whose result goes to a `call_output`.
    virtual partyline::detail::task_root begin(context& c, json_view arguments);

    static void note_begun(context& c) noexcept;

private:
    const feature* of_ = nullptr;
};

} // namespace partyline::mcp::detail
