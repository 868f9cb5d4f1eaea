#pragma once

#include <memory>
#include <set>

namespace gateway {

class upstream;

/// The servers that run, each kept here until it has ended. Without this only the context holds them, and they are
/// killed with that.
///
/// Thread safety: none.
class running_servers {
public:
    running_servers() = default;
    running_servers(const running_servers&) = delete;
    running_servers& operator=(const running_servers&) = delete;
    ~running_servers() { release(); }

    void insert(std::shared_ptr<upstream> one);
    /// It has ended. After the last one nothing is kept any more.
    void erase(const std::shared_ptr<upstream>& one) noexcept;
    /// Keeps `what` as long as any runs.
    void keep_until_empty(std::shared_ptr<const void> what) noexcept;
    /// Releases them, so that they are killed with the context, which is not run any more.
    void release() noexcept;

private:
    std::set<std::shared_ptr<upstream>> all_;
    std::shared_ptr<const void> kept_;
};

} // namespace gateway
