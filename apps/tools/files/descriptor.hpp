#pragma once

#include <utility>

#include <unistd.h>

namespace tools {

/// Owns a file descriptor. The library has such a class, too, which is private to it.
class descriptor {
public:
    descriptor() = default;
    explicit descriptor(int fd) noexcept : fd_(fd) {}
    descriptor(descriptor&& other) noexcept : fd_(other.release()) {}
    descriptor& operator=(descriptor&& other) noexcept
    {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~descriptor() { close(); }

    int get() const noexcept { return fd_; }
    explicit operator bool() const noexcept { return fd_ >= 0; }
    int release() noexcept { return std::exchange(fd_, -1); }
    void close() noexcept
    {
        if (fd_ >= 0)
            ::close(release());
    }

private:
    int fd_ = -1;
};

} // namespace tools
