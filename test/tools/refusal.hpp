#pragma once

#include <exception>
#include <string>

namespace tools::test {

/// What `action` throws; empty when it does not.
template <class Action>
std::string refusal_of(Action action)
{
    try {
        action();
    } catch (const std::exception& failed) {
        return failed.what();
    }
    return {};
}

} // namespace tools::test
