#pragma once

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>

namespace partyline {

/// Keeps an io_context from sleeping for a moment after a read has been started, where `idle_spin` finds that worth it:
/// posts a handler that posts itself, so that the context looks at what it waits for without waiting. Where it is not
/// worth it, two looks at the clock for each read are all that it costs.
/// Thread safety: none; used on the executor.
class input_spin {
public:
    explicit input_spin(boost::asio::any_io_executor executor);

    /// Whether the peer can run while we do: there are two processors for us, or more.
    static bool is_possible() noexcept;

    /// A read has been started.
    void on_wait();
    /// It has ended.
    void on_input();

private:
    struct state;

    static void post(std::shared_ptr<state> of) noexcept;
    static void look(std::shared_ptr<state> of);

    std::shared_ptr<state> state_; // what has been posted may run later than this is destroyed
};

} // namespace partyline
