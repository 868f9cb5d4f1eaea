#pragma once

#include <partyline/session/task.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace partyline::mcp::detail {

/// A user's function that answers a question of the server's, plain or a coroutine.
template <class Answer, class Request>
class answering_function {
public:
    virtual ~answering_function() = default;
    virtual task<Answer> answer(Request asked) = 0;
};

template <class F, class Answer, class Request>
class bound_answering final : public answering_function<Answer, Request> {
    using returned = std::invoke_result_t<F&, const Request&>;

public:
    explicit bound_answering(F function) : function_(std::move(function)) {}

    task<Answer> answer(Request asked) override
    {
        if constexpr (std::convertible_to<returned, Answer>)
            co_return std::invoke(function_, std::as_const(asked));
        else
            co_return co_await std::invoke(function_, std::as_const(asked));
    }

private:
    F function_;
};

template <class Answer, class Request, class F>
std::shared_ptr<answering_function<Answer, Request>> bind_answering(F function)
{
    static_assert(std::is_invocable_v<F&, const Request&>, "the function takes what the server asks");
    return std::make_shared<bound_answering<F, Answer, Request>>(std::move(function));
}

} // namespace partyline::mcp::detail
