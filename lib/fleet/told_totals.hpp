#pragma once

#include <mutex>

namespace partyline::fleet {

/// Numbers that one thread tells, all together, and others read.
template <class Totals>
class told_totals {
public:
    void tell(const Totals& now)
    {
        const std::lock_guard lock(mutex_);
        last_ = now;
    }
    Totals last() const
    {
        const std::lock_guard lock(mutex_);
        return last_;
    }

private:
    mutable std::mutex mutex_;
    Totals last_;
};

} // namespace partyline::fleet
