#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"
#include "session/calls/posted_completion.hpp"

#include <partyline/mcp/detail/client_operation.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>

#include <variant>

namespace asio = boost::asio;

namespace partyline::mcp::detail {
namespace {

/// An operation under way: its completion, and the way on which a cancel reaches its task.
template <class... Result>
class operation : public std::enable_shared_from_this<operation<Result...>> {
public:
    operation(asio::any_completion_handler<void(Result...)> told, const asio::any_io_executor& home)
        : home_(home), done_(std::move(told), home)
    {
    }

    template <class T, class Finish>
    void begin(task<T> work, Finish finish)
    {
        done_.on_cancel([of = this->weak_from_this()] {
            if (const auto self = of.lock())
                asio::dispatch(self->home_, [self] { self->signal_.emit(asio::cancellation_type::all); });
        });
        co_spawn(home_, std::move(work), asio::bind_cancellation_slot(signal_.slot(), std::move(finish)));
    }

    void complete(Result... results)
    {
        done_.forget_cancel();
        done_(this->shared_from_this(), std::move(results)...);
    }

private:
    const asio::any_io_executor home_;
    asio::cancellation_signal signal_;
    completion<Result...> done_;
};

template <class T>
call_result<T> outcome_of(const std::exception_ptr& thrown, T& result)
{
    if (thrown)
        return result_of<T>(thrown);
    return std::move(result);
}

} // namespace

template <class T>
void start_operation(std::shared_ptr<client_core> core, task<T> work, operation_handler<T> done)
{
    using running = operation<error_code, call_result<T>>;
    const auto made = std::make_shared<running>(std::move(done), core->get_executor());
    const auto finish = [made](const call_result<T>& outcome) {
        const error_code code = outcome.code();
        made->complete(code, outcome);
    };
    if constexpr (std::is_void_v<T>)
        made->begin(std::move(work), [finish](const std::exception_ptr& thrown) {
            finish(thrown ? result_of<void>(thrown) : call_result<void>(std::monostate()));
        });
    else
        made->begin(std::move(work),
                    [finish](const std::exception_ptr& thrown, T result) { finish(outcome_of(thrown, result)); });
}

template <class T>
void start_throwing(std::shared_ptr<client_core> core, task<T> work, throwing_operation_handler<T> done)
{
    if constexpr (std::is_void_v<T>) {
        const auto made = std::make_shared<operation<std::exception_ptr>>(std::move(done), core->get_executor());
        made->begin(std::move(work), [made](std::exception_ptr thrown) { made->complete(std::move(thrown)); });
    } else {
        const auto made = std::make_shared<operation<std::exception_ptr, T>>(std::move(done), core->get_executor());
        made->begin(std::move(work), [made](std::exception_ptr thrown, T result) {
            made->complete(std::move(thrown), std::move(result));
        });
    }
}

#define PARTYLINE_MCP_OPERATION(...)                                                                                   \
    template void start_operation<__VA_ARGS__>(std::shared_ptr<client_core>, task<__VA_ARGS__>,                        \
                                               operation_handler<__VA_ARGS__>);                                        \
    template void start_throwing<__VA_ARGS__>(std::shared_ptr<client_core>, task<__VA_ARGS__>,                         \
                                              throwing_operation_handler<__VA_ARGS__>);

PARTYLINE_MCP_OPERATION(void)
PARTYLINE_MCP_OPERATION(tool_answer)
PARTYLINE_MCP_OPERATION(resource_answer)
PARTYLINE_MCP_OPERATION(prompt_answer)
PARTYLINE_MCP_OPERATION(completion_answer)
PARTYLINE_MCP_OPERATION(json_text)
PARTYLINE_MCP_OPERATION(page<tool_info>)
PARTYLINE_MCP_OPERATION(page<resource_info>)
PARTYLINE_MCP_OPERATION(page<resource_template_info>)
PARTYLINE_MCP_OPERATION(page<prompt_info>)
PARTYLINE_MCP_OPERATION(std::vector<tool_info>)
PARTYLINE_MCP_OPERATION(std::vector<resource_info>)
PARTYLINE_MCP_OPERATION(std::vector<resource_template_info>)
PARTYLINE_MCP_OPERATION(std::vector<prompt_info>)

#undef PARTYLINE_MCP_OPERATION

} // namespace partyline::mcp::detail
