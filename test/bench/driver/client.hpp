#pragma once

#include "server_process.hpp"
#include "wire.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// The client's side of the standard streams of a server, or of all connections to it. It writes and reads at once, so
/// that neither side waits for the other for ever.
///
/// Every wait ends: with a `failure` in words when the server has died, closed what it answers over, said and taken
/// nothing for `patience`, or said far more than it was asked; or when all of it takes much longer.
class client {
public:
    /// `how` is the framing of what comes over standard streams.
    client(server_process& server, framing how, std::chrono::milliseconds patience);

    /// The server's standard streams.
    connection& open_streams();
    /// One more connection to a port, which lives as long as the client unless it is closed.
    connection& open(std::uint16_t port, speech how, const tls_client* secured);
    void close(connection& one);
    /// One that the server may close, and nobody listens to: then it is gone.
    connection& open_doomed(std::uint16_t port, const tls_client* secured);
    /// Those of them that are there.
    const std::vector<connection*>& doomed() const noexcept { return doomed_; }

    /// Writes `text`, and has more of it written when more is taken; it has to stay until then.
    void send(connection& to, std::string_view text);
    /// Waits until something has come, for `time` at most, and tells of each connection over which it came.
    void poll(std::chrono::nanoseconds time, const std::function<void(connection&)>& heard);
    /// Takes turns until it is `done`; so many messages are missing otherwise.
    void run(
        std::size_t messages, const std::function<bool()>& done,
        const std::function<void(connection&)>& heard = [](connection&) {});
    /// Closes the server's standard input: it has to end, and say nothing more.
    void end_input();

    /// All messages that have come and have not been cleared.
    inbox& received() noexcept { return inbox_; }
    /// Silence of so much more is not taken for a hang: it is what was asked for.
    void expect_silence(std::chrono::milliseconds time) { extra_patience_ = time; }

private:
    using clock = std::chrono::steady_clock;

    connection& add(std::unique_ptr<connection> made);
    void watch(int descriptor, connection* what, unsigned events);
    void watch_writing(connection& one, bool wants);
    void serve(connection& one, unsigned events, const std::function<void(connection&)>& heard);
    void check_taken(connection& one);
    void lose(connection& one);
    void check_time();
    void check_flood();
    std::string missing() const;
    [[noreturn]] void report_end(const std::string& what);
    [[noreturn]] void give_up(const std::string& why);

    server_process& server_;
    inbox inbox_;
    std::chrono::milliseconds patience_;
    std::chrono::milliseconds extra_patience_{};
    clock::time_point begin_ = clock::now();
    clock::time_point last_byte_ = begin_;
    unique_fd events_;
    std::vector<std::unique_ptr<connection>> all_;
    std::vector<connection*> doomed_;
    std::size_t wanted_ = 0; // messages in the inbox, for what is run to be complete
    std::size_t asked_ = 0;  // of these by that
    std::size_t sent_bytes_ = 0;
    bool is_ending_ = false;
    bool has_ended_ = false; // its standard output
};

} // namespace bench
