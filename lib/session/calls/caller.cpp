#include <partyline/session/caller.hpp>

#include "session/calls/make_operation.hpp"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace partyline {
namespace {

using detail::code_handler;
using detail::converting_handler;

struct sent_or_not {
    template <class Handler>
    static void complete(Handler&& next, error_code failed)
    {
        call_result<void> sent{std::monostate()};
        if (failed)
            sent = call_result<void>::failure{failed, {}};
        std::forward<Handler>(next)(failed, std::move(sent));
    }
};

// The responses tell what failed, where there are any.
struct all_responses {
    template <class Handler>
    static void complete(Handler&& next, error_code failed, std::vector<response> replies)
    {
        call_result<std::vector<response>> all{std::move(replies)};
        if (failed && all->empty())
            all = call_result<std::vector<response>>::failure{failed, {}};
        std::forward<Handler>(next)(failed, std::move(all));
    }
};

} // namespace

namespace detail {

void unsent_call::send(code_handler<json_text> done)
{
    by.start_call(std::move(method), std::move(params), std::move(options), std::move(done));
}

bool has_value(const json_text& result)
{
    try {
        result.to_value();
        return true;
    } catch (const rpc_error&) {
        return false;
    }
}

} // namespace detail

operation<void> caller::notify(std::string method, call_params params)
{
    check_callable();
    return make_operation<void>(
        [this, method = std::move(method), params = std::move(params)](code_handler<void> done) mutable {
            using handler = converting_handler<sent_or_not, code_handler<void>>;
            start_notify(std::move(method), std::move(params), handler{std::move(done)});
        });
}

operation<std::vector<response>> caller::batch(call_batch calls, call_options options)
{
    check_callable();
    using handler_of_all = code_handler<std::vector<response>>;
    return make_operation<std::vector<response>>(
        [this, calls = std::move(calls), options = std::move(options)](handler_of_all done) mutable {
            using handler = converting_handler<all_responses, handler_of_all>;
            start_batch(std::move(calls), std::move(options), handler{std::move(done)});
        });
}

std::shared_ptr<lifecycle> caller::session_lifecycle() const
{
    return nullptr;
}

} // namespace partyline
