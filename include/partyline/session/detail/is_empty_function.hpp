#pragma once

#include <type_traits>

namespace partyline::detail {

/// An empty `std::function` or a null pointer; a captureless lambda converts to a pointer too, but is never empty.
template <class F>
bool is_empty_function(const F& function)
{
    if constexpr (std::is_pointer_v<F>)
        return function == nullptr;
    else if constexpr (requires { function == nullptr; } && !requires { +function; })
        return function == nullptr;
    else
        return false;
}

} // namespace partyline::detail
