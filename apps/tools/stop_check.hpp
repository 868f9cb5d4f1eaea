#pragma once

#include <functional>

namespace tools {

/// Whether to stop: asked regularly by what takes long. From the thread that works.
using stop_check = std::function<bool()>;

/// Throws operation_aborted, as whatever is cancelled in Asio.
[[noreturn]] void throw_stopped();

inline void stop_if(const stop_check& is_stopped)
{
    if (is_stopped && is_stopped())
        throw_stopped();
}

} // namespace tools
