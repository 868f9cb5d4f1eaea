#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/middleware.hpp>
#include <partyline/session/detail/task_root.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/task.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace partyline::detail {

/// A method's handler with middleware in front of it. Where all of that are plain functions it costs no coroutine.
class PARTYLINE_EXPORT wrapped_handler final : public handler {
public:
    /// Both live longer, and neither changes from then on.
    wrapped_handler(handler& target, const request_middleware_list& chain);

    void call(request_context& context, json_view params, result_writer& out) override;
    task_root start(request_context& context, json_view params) override;

    /// Has the request served by what stands from the middleware `at` on. The params live as long.
    task<request_result> proceed(request_context& context, json_view params, std::size_t at) const;

private:
    std::optional<request_result> ask_all(request_context& context, json_view params) const;
    task<request_result> run(request_context& context, std::string params) const;
    task<request_result> run_middleware(request_context& context, json_view params, std::size_t at) const;
    task<request_result> run_target(request_context& context, json_view params) const;
    static task<request_result> run_task(request_context& context, task_root target);

    handler& target_;
    const request_middleware_list& chain_;
};

} // namespace partyline::detail
