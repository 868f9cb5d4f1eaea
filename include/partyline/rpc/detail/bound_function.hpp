#pragma once

#include <partyline/rpc/detail/signature_schema.hpp>
#include <partyline/rpc/detail/typed_handler.hpp>
#include <partyline/rpc/parameter_names.hpp>
#include <partyline/session/handler.hpp>

#include <memory>
#include <utility>

namespace partyline::detail {

/// A function that is to become a handler, without its type: the code that uses it is compiled once.
struct bound_function {
    void* function; // moved out of
    const parameter_names* names;
    std::unique_ptr<handler> (*make)(void* function, const parameter_names* names);
    signature_schema (*describe)();

    template <class F>
    static bound_function of(F& function)
    {
        return {static_cast<void*>(&function), nullptr, &make_unnamed<F>, &signature_of<F, false>};
    }
    template <class F>
    static bound_function of(F& function, const parameter_names& names)
    {
        return {static_cast<void*>(&function), &names, &make_named<F>, &signature_of<F, true>};
    }

private:
    template <class F>
    static std::unique_ptr<handler> make_unnamed(void* function, const parameter_names*)
    {
        return make_handler(std::move(*static_cast<F*>(function)));
    }
    template <class F>
    static std::unique_ptr<handler> make_named(void* function, const parameter_names* names)
    {
        return make_handler(std::move(*static_cast<F*>(function)), *names);
    }
};

} // namespace partyline::detail
