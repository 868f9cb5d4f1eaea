#pragma once

#include "async/back_off.hpp"
#include "fleet/bus/inbox.hpp"
#include "fleet/bus/nats_connection.hpp"

#include <partyline/fleet/totals.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace partyline::fleet {

/// The connection of a program to NATS, and the thread that waits for it: it connects, subscribes and publishes, since
/// libnats may block in each of these.
///
/// Flow: `start()`, once. Inboxes are attached, and told of each connection; a thread that has lost one begins anew.
/// Ownership: the thread keeps it until `close()`.
/// Thread safety: all from any thread.
class bus_core final : public std::enable_shared_from_this<bus_core> {
public:
    /// Throws `std::invalid_argument` for options that make no sense, `std::runtime_error` where libnats can't be
    /// opened.
    explicit bus_core(bus_options options);

    void start();
    /// The thread ends; waits for that, but no longer than a second.
    void close() noexcept;
    bool is_connected() const noexcept;
    bus_totals counters() const noexcept;

    /// Has what is published at these subjects put into the inbox, and what becomes of the connection.
    void attach(const std::shared_ptr<inbox>& to, std::vector<std::string> subjects);
    /// One of the subjects, or with an empty one the inbox, is not wanted any more.
    void detach(const std::shared_ptr<inbox>& from, std::string subject = {}) noexcept;
    /// False where there is no connection: nothing is sent. Otherwise they are taken over, and sent if the connection
    /// lasts and there is room.
    bool publish(std::vector<publication>& all) noexcept;

private:
    using clock = std::chrono::steady_clock;
    struct attached {
        std::shared_ptr<inbox> to;
        std::vector<std::string> subjects;
    };
    struct detached {
        std::shared_ptr<inbox> from;
        std::string subject;
    };
    using command = std::variant<publication, attached, detached>;

    void add(command one);
    void run() noexcept;
    bool step();
    bool wait();
    void connect();
    void lose(std::string_view why);
    void tell_connected();
    void tell_lost(std::string why);
    void tell_problem(std::string_view what) noexcept;
    bool is_closing() const noexcept;
    void finish() noexcept;
    void carry_out(publication& one);
    void carry_out(attached& one);
    void carry_out(detached& one);
    static void subscribe(nats_connection& at, const attached& one);
    void on_lost(std::uint64_t connection, std::string why) noexcept;

    const bus_options options_;

    // Of the thread alone.
    std::unique_ptr<nats_connection> connection_;
    std::vector<attached> inboxes_;
    std::size_t next_server_;
    back_off pause_;
    clock::time_point connect_at_ = {};
    std::string last_problem_;

    std::mutex telling_; // held while the program is told something

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<command> commands_;
    std::size_t bytes_ = 0;       // of those that are published
    std::uint64_t attempts_ = 0;  // to connect: the number of the present connection
    std::size_t connections_ = 0; // of these, those that stood
    bool is_connected_ = false;
    std::size_t dropped_ = 0;         // publications, for want of room
    std::optional<std::string> lost_; // the present connection, and why
    bool is_closing_ = false;
    bool has_ended_ = true;
};

} // namespace partyline::fleet
