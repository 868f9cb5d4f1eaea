#pragma once

#include <partyline/session/memory_budget.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace gateway {

/// What is true of the servers of all threads together.
///
/// Thread safety: all members from any thread, but `on_failure`.
class server_totals : public std::enable_shared_from_this<server_totals> {
public:
    /// One server in the bound of those for connections, until it is destroyed.
    using place = std::shared_ptr<const void>;

    /// `most_places`: how many servers for connections there may be. `kept` bounds what clients make the gateway keep;
    /// null: nothing does.
    server_totals(std::size_t most_places, std::shared_ptr<partyline::memory_budget> kept)
        : most_places_(most_places), kept_(std::move(kept))
    {
    }

    const std::shared_ptr<partyline::memory_budget>& kept() const noexcept { return kept_; }
    /// Null: there are as many as there may be.
    place take_place();

    /// A shared server was given up, or one that was is sound again.
    void note_given_up(bool is_given_up) noexcept;
    /// False while a shared server is given up.
    bool are_well() const noexcept { return given_up_ == 0; }
    /// A shared server was given up for ever.
    void note_failure();
    bool have_failed() const noexcept { return have_failed_; }
    /// `told` is called by `note_failure`, on its thread. To be set before that may be called.
    void on_failure(std::function<void()> told) { on_failure_ = std::move(told); }

private:
    const std::size_t most_places_;
    const std::shared_ptr<partyline::memory_budget> kept_;
    std::function<void()> on_failure_;
    std::atomic<std::size_t> places_ = 0;   // that are taken
    std::atomic<std::size_t> given_up_ = 0; // shared servers
    std::atomic<bool> have_failed_ = false;
};

} // namespace gateway
