#pragma once

#include <partyline/session/memory_budget.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gateway {

struct options;

/// What is true of the servers of all threads together.
///
/// Thread safety: all members from any thread, but `on_failure`.
class server_totals : public std::enable_shared_from_this<server_totals> {
public:
    /// One server in the bound of those for connections, until it is destroyed.
    using place = std::shared_ptr<const void>;

    explicit server_totals(const options& how);

    /// Bounds what clients make the gateway keep, see `kept_bytes`. Null: nothing does.
    const std::shared_ptr<partyline::memory_budget>& kept() const noexcept { return kept_; }
    /// Null: there are as many as there may be.
    place take_place();

    /// A shared server was given up.
    void note_given_up() noexcept { ++given_up_; }
    /// One that was given up is sound again.
    void note_sound() noexcept { --given_up_; }
    /// False where new clients can't be served: the program is missing, or a shared server was given up.
    bool are_well() const;
    /// A shared server was given up for ever.
    void note_failure();
    bool have_failed() const noexcept { return have_failed_; }
    /// `told` is called by `note_failure`, on its thread. To be set before that may be called.
    void on_failure(std::function<void()> told) { on_failure_ = std::move(told); }

private:
    const std::vector<std::string> command_;
    const std::size_t most_places_; // for servers of connections
    const std::shared_ptr<partyline::memory_budget> kept_;
    std::function<void()> on_failure_;
    std::atomic<std::size_t> places_ = 0;   // that are taken
    std::atomic<std::size_t> given_up_ = 0; // shared servers
    std::atomic<bool> have_failed_ = false;
};

} // namespace gateway
