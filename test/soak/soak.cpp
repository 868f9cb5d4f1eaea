#include "soak.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

namespace partyline::test {

namespace {

// Written at once: enough that the server finds many to read.
constexpr std::size_t portion = 16 * 1024;

constexpr std::uint64_t lag_after = 20'000; // answers
// In which a server that does not wait for its peer has said megabytes.
constexpr std::chrono::milliseconds lag_time{10};

} // namespace

soak::soak(const std::string& server, std::size_t window, std::uint64_t seed) : soak(server, window, seed, pipe_wire())
{
}

soak::soak(const std::string& server, std::size_t window, std::uint64_t seed, wire ends)
    : mix_(window, seed), on_line_([this](std::string_view line) { mix_.on_line(line); }),
      to_(std::move(ends.to_server)), from_(std::move(ends.from_server)),
      // What it logs goes where our messages go.
      server_(server, {}, {ends.server_in.get(), ends.server_out.get(), 2})
{
}

void soak::run(std::uint64_t requests)
{
    std::string text;
    while (mix_.answered() + mix_.outstanding() < requests) {
        if (mix_.answered() >= next_lag_)
            lag();
        text.clear();
        while (mix_.has_room() && text.size() < portion && mix_.answered() + mix_.outstanding() < requests)
            mix_.add_next(text);
        exchange(to_.get(), text, from_, on_line_);
        if (!mix_.has_room())
            from_.read_lines(on_line_, [this] { return mix_.has_room(); });
    }
    text.clear();
    mix_.add_last_cancels(text);
    exchange(to_.get(), text, from_, on_line_);
    from_.read_lines(on_line_, [this] { return mix_.outstanding() == 0; });
    if (mix_.outstanding() != 0)
        throw std::runtime_error("the server has ended");
}

void soak::lag()
{
    next_lag_ += lag_after;
    from_.read_lines(on_line_, [this] { return mix_.has_room_for_long(); });
    std::string text;
    mix_.add_long_results(text);
    write_all(to_.get(), text); // it fits into the pipe
    from_.wait_readable();
    std::this_thread::sleep_for(lag_time);
}

void soak::finish()
{
    to_.reset();
    const std::string rest = from_.read_rest();
    if (!rest.empty())
        throw std::runtime_error("more than was asked for: " + rest.substr(0, 300));
    if (const int code = server_.wait_exit(); code != 0)
        throw std::runtime_error("the server's exit code is " + std::to_string(code));
}

} // namespace partyline::test
