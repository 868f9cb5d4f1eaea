#include "readiness.hpp"

#include "descriptors.hpp"

#include <cerrno>

namespace partyline::test {

bool is_ready(int fd, short events, std::chrono::milliseconds time)
{
    using clock = std::chrono::steady_clock;
    const auto deadline = clock::now() + time;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
        pollfd entry{fd, events, 0};
        const int ready = ::poll(&entry, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
        if (ready < 0 && errno == EINTR)
            continue;
        return checked(ready, "poll") > 0;
    }
}

} // namespace partyline::test
