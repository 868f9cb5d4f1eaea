#pragma once

#include "server_process.hpp"
#include "wire.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace bench {

/// The client's side: writes and reads at once, so that neither side waits for the other for ever.
///
/// Every wait ends: with a `failure` in words when the server has died, closed its output, said and taken nothing for
/// `patience`, or said far more than it was asked; or when all of it takes much longer.
class conversation {
public:
    conversation(server_process& server, framing how, std::chrono::milliseconds patience);

    /// Writes `text`, and reads until `messages` more have come.
    void exchange(std::string_view text, std::size_t messages);
    /// Closes the server's input: it has to end, and say nothing more.
    void end();

    /// All that has come and has not been cleared.
    inbox& received() noexcept { return inbox_; }
    /// Silence of so much more is not taken for a hang: it is what was asked for.
    void expect_silence(std::chrono::milliseconds time) { extra_patience_ = time; }

private:
    using clock = std::chrono::steady_clock;

    void write_some();
    void read_some();
    void wait();
    void check_time();
    void check_flood();
    std::string missing() const;
    std::string end_of_server();
    [[noreturn]] void give_up(const std::string& why);

    server_process& server_;
    inbox inbox_;
    std::chrono::milliseconds patience_;
    std::chrono::milliseconds extra_patience_{};
    clock::time_point begin_;
    clock::time_point last_byte_;
    std::string_view unsent_;
    std::size_t wanted_ = 0; // messages in the inbox, for the exchange to be complete
    std::size_t asked_ = 0;  // of these by this exchange
    std::size_t sent_bytes_ = 0;
    bool is_ending_ = false;
    bool has_ended_ = false; // its output
};

} // namespace bench
