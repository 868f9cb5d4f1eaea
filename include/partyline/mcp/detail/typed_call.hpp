#pragma once

#include <partyline/mcp/detail/call_handler.hpp>
#include <partyline/mcp/detail/call_result.hpp>
#include <partyline/rpc/detail/typed_handler.hpp>

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace partyline::mcp::detail {

namespace rpc = partyline::detail;

/// `Kind` writes the results: see call_result.hpp.
template <class F, class Kind, bool Whole>
class plain_call final : public call_handler {
    using signature = rpc::handler_signature<F>;

public:
    plain_call(F function, rpc::parameter_list parameters)
        : call_handler(kind::plain), function_(std::move(function)), parameters_(std::move(parameters))
    {
    }

private:
    void invoke(context& c, json_view arguments, call_output& out) override
    {
        rpc::request_arguments<typename signature::arguments, Whole> given(c.rpc(), arguments, parameters_);
        if (given.are_refused()) [[unlikely]]
            return out.refuse(given.refusal());
        note_begun(c);
        if constexpr (std::is_void_v<typename signature::result>) {
            rpc::invoke_handler(function_, c, given.values());
            Kind::put_nothing(out);
        } else
            Kind::put(out, rpc::invoke_handler(function_, c, given.values()));
    }

    F function_;
    rpc::parameter_list parameters_;
};

/// Passes on the result of a task.
template <class Kind, class T>
void deliver_call(rpc::task_promise_base& ended, const request_context&, result_writer& to)
{
    auto& out = static_cast<call_output&>(to);
    if constexpr (std::is_void_v<T>) {
        static_cast<rpc::task_promise<T>&>(ended).take();
        Kind::put_nothing(out);
    } else
        Kind::put(out, static_cast<rpc::task_promise<T>&>(ended).take());
}

template <class F, class Kind, bool Whole>
class coroutine_call final : public call_handler {
    using signature = rpc::handler_signature<F>;
    using arguments_type = rpc::request_arguments<typename signature::arguments, Whole>;
    using values_type = typename arguments_type::values_type;
    using result = typename signature::result;

public:
    coroutine_call(F function, rpc::parameter_list parameters)
        : call_handler(kind::task), function_(std::move(function)), parameters_(std::move(parameters))
    {
    }

private:
    rpc::task_root begin(context& c, json_view arguments) override
    {
        arguments_type given(c.rpc(), arguments, parameters_);
        if (given.are_refused()) [[unlikely]]
            return rpc::refused_task(given.refusal());
        return {make_task(c, given.values()), &deliver_call<Kind, result>};
    }

    task<result> make_task(context& c, values_type& values)
    {
        using returned = typename rpc::function_traits<F>::result;
        if constexpr (signature::takes_references)
            return run(function_, c, std::move(values));
        else if constexpr (std::is_same_v<returned, task<result>>)
            return rpc::invoke_handler(function_, c, values);
        else
            return rpc::adopting_task<result>::adopt(rpc::invoke_handler(function_, c, values));
    }

    // Keeps the arguments in its own frame, for a function that takes them by reference.
    static task<result> run(F& function, context& c, values_type values)
    {
        co_return co_await rpc::invoke_handler(function, c, values);
    }

    F function_;
    rpc::parameter_list parameters_;
};

template <class Kind, bool Whole, class F>
std::unique_ptr<call_handler> make_call_handler(F function, rpc::parameter_list parameters)
{
    if (rpc::is_empty_function(function))
        throw std::invalid_argument("the function is empty");
    if constexpr (rpc::handler_signature<F>::is_coroutine)
        return std::make_unique<coroutine_call<F, Kind, Whole>>(std::move(function), std::move(parameters));
    else
        return std::make_unique<plain_call<F, Kind, Whole>>(std::move(function), std::move(parameters));
}

} // namespace partyline::mcp::detail
