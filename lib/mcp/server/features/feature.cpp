#include "mcp/server/features/feature.hpp"

#include "mcp/server/calls/request_chain.hpp"
#include "rpc/wrapped_handler.hpp"

#include <utility>

namespace partyline::mcp::detail {
namespace {

// A deadline that is over is told by who serves the call: so its coroutines are thrown through, and not dropped.
method_options method_options_of(const run_options& how)
{
    method_options made;
    made.executor = how.executor;
    made.max_concurrent = how.max_concurrent;
    made.deadline = how.deadline;
    made.exclusive = how.exclusive;
    const bool has_deadline = how.deadline != std::chrono::steady_clock::duration::zero();
    made.on_cancel = has_deadline ? cancelled_task::thrown_through : how.on_cancel;
    return made;
}

} // namespace

feature::feature(feature_kind kind, std::string key, std::unique_ptr<call_handler> by, const run_options& how,
                 std::string_view method)
    : kind_(kind), key_(std::move(key)), around_(how.around_requests)
{
    by->belong_to(*this);
    method_.name = method;
    method_.options = method_options_of(how);
    method_.target = std::move(by);
}

void feature::belong_to(const server_facts& server)
{
    server_ = &server;
    around_ = request_chain(server, around_);
    if (around_.empty())
        return;
    auto wrapping = std::make_unique<partyline::detail::wrapped_handler>(*method_.target, around_);
    unwrapped_ = std::exchange(method_.target, std::move(wrapping));
}

} // namespace partyline::mcp::detail
