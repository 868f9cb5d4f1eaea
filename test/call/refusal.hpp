#pragma once

#include <exception>
#include <string>

namespace call::test {

/// What `action` throws; empty when it does not.
template <class Action>
std::string refusal_of(Action action)
{
    try {
        action();
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

} // namespace call::test
