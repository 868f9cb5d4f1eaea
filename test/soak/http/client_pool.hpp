#pragma once

#include "client_connection.hpp"
#include "support/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace partyline::test {

/// Clients of a server over many connections at once: where one is over, the next one begins.
///
/// Every wait ends after `patience` without a byte, with an exception.
class client_pool {
public:
    using choose_plan = std::function<client_plan(post_mix&)>;
    client_pool(std::uint16_t port, std::size_t size, post_mix mix, choose_plan choose);

    /// Goes on until so many POSTs have been made in all.
    void run(std::uint64_t posts);
    /// Goes on until no connection is left; none is opened any more.
    void finish();
    /// One look at what comes, for which it waits for so long at most.
    void poll(std::chrono::milliseconds time);
    /// Opens the connections that are not there.
    void fill();

    const client_counts& counts() const noexcept { return counts_; }

private:
    void watch(client_connection& one, int how);
    void serve(client_connection& one, unsigned events);
    void check_patience(bool has_come);

    std::uint16_t port_;
    std::size_t size_;
    post_mix mix_;
    choose_plan choose_;
    client_counts counts_;
    unique_fd events_;
    std::vector<std::unique_ptr<client_connection>> connections_;
    std::chrono::steady_clock::time_point last_event_;
};

} // namespace partyline::test
