#pragma once

#include <vector>

#include <sched.h>

namespace bench {

/// The cores that this process may run on.
std::vector<int> usable_cores();

/// Keeps this thread on `cores` while it lives. A child process inherits what holds when it is started.
class on_cores {
public:
    explicit on_cores(const std::vector<int>& cores);
    ~on_cores();
    on_cores(const on_cores&) = delete;
    on_cores& operator=(const on_cores&) = delete;

private:
    cpu_set_t before_;
};

} // namespace bench
