// soak_broadcast: many sessions are told the same, and some of them do not read. The others have to hear everything,
// and the server's memory has to stay bounded.

#include "broadcast/listener.hpp"
#include "broadcast/server.hpp"
#include "support/child_process.hpp"
#include "support/descriptors.hpp"
#include "support/line_reader.hpp"
#include "support/mebibyte.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/resource.h>

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace partyline::test {
namespace {

struct plan {
    std::size_t of_each;  // listeners over WebSocket, and over event streams
    std::size_t slow;     // of all that do not read in the second half
    std::uint64_t rounds; // in each half
    std::chrono::milliseconds period;
};

/// The server, and all who listen to it, on the calling thread.
class broadcast_run {
public:
    broadcast_run(const std::string& program, const plan& what)
        : plan_(what), server_(program, {"--serve"}, {wire_.server_in.get(), wire_.server_out.get(), 2}),
          from_(std::move(wire_.from_server)), to_(std::move(wire_.to_server))
    {
        wire_.server_in.reset();
        wire_.server_out.reset();
        port_ = static_cast<std::uint16_t>(read_number());
    }

    /// Whether all was as it has to be.
    bool run()
    {
        connect(2 * plan_.of_each, true);
        tell_all("all read");
        const std::size_t before = server_.resident_bytes();
        connect(plan_.slow, false);
        tell_all("some do not read");
        const std::size_t after = server_.resident_bytes();
        to_.reset();
        const std::uint64_t missed = read_number();
        server_.wait_exit();
        std::printf("memory: %zu KiB, then %zu KiB; notifications that were dropped: %llu\n", before / 1024,
                    after / 1024, static_cast<unsigned long long>(missed));
        // What each of them has unread and, of an event stream, what is kept for it in case that it comes again.
        const std::size_t bound = plan_.slow * 4 * mebibyte + 4 * mebibyte;
        return after < before + bound && missed != 0;
    }

private:
    std::uint64_t read_number()
    {
        const std::optional<std::string> line = from_.read_line();
        if (!line)
            throw std::runtime_error("the server has ended");
        return std::stoull(*line);
    }

    void connect(std::size_t count, bool reads)
    {
        for (std::size_t i = 0; i != count; ++i) {
            const stream_kind how = i % 2 ? stream_kind::events : stream_kind::websocket;
            const auto one = std::make_shared<listener>(
                context_.get_executor(), how,
                [this](std::uint64_t round, std::uint64_t sent_at) { note(round, sent_at); });
            std::future<void> opened = asio::co_spawn(context_, one->open(port_), asio::use_future);
            while (opened.wait_for(0s) != std::future_status::ready)
                step();
            opened.get();
            (reads ? readers_ : others_).push_back(one);
            if (reads)
                one->listen();
        }
    }

    void tell_all(const char* when)
    {
        times_.clear();
        const std::size_t all = readers_.size() + others_.size();
        auto next = std::chrono::steady_clock::now();
        for (std::uint64_t round = 1; round <= plan_.rounds; ++round, ++told_) {
            std::this_thread::sleep_until(next);
            next += plan_.period;
            write_all(to_.get(), "tell\n");
            if (read_number() != all)
                throw std::runtime_error("not all sessions were told");
            while (times_.size() != round * readers_.size())
                step();
        }
        std::sort(times_.begin(), times_.end());
        std::printf("%s: %zu sessions, %llu broadcasts; ms until heard: p50 %.2f, p99 %.2f, max %.2f\n", when, all,
                    static_cast<unsigned long long>(plan_.rounds), quantile(0.5), quantile(0.99), quantile(1));
    }

    void step()
    {
        context_.restart();
        if (context_.run_one_for(patience) == 0)
            throw std::runtime_error("somebody who reads does not hear broadcast " + std::to_string(told_));
    }

    void note(std::uint64_t round, std::uint64_t sent_at)
    {
        if (round > told_)
            throw std::runtime_error("a broadcast that was not made is heard");
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        times_.push_back(static_cast<double>(std::chrono::nanoseconds(now).count() - std::int64_t(sent_at)) / 1e6);
    }

    double quantile(double which) const
    {
        return times_.at(std::min(times_.size() - 1, static_cast<std::size_t>(which * double(times_.size()))));
    }

    const plan plan_;
    wire wire_ = pipe_wire();
    child_process server_;
    line_reader from_;
    unique_fd to_;
    std::uint16_t port_ = 0;
    asio::io_context context_{1};
    std::vector<std::shared_ptr<listener>> readers_;
    std::vector<std::shared_ptr<listener>> others_;
    std::vector<double> times_;
    std::uint64_t told_ = 0; // rounds
};

// A socket each, on both sides.
void allow_descriptors()
{
    ::rlimit now{};
    if (::getrlimit(RLIMIT_NOFILE, &now) == 0) {
        now.rlim_cur = now.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &now);
    }
}

} // namespace
} // namespace partyline::test

int main(int argc, char** argv)
{
    using partyline::test::plan;
    ::signal(SIGPIPE, SIG_IGN);
    partyline::test::allow_descriptors();
    try {
        if (argc == 2 && argv[1] == std::string("--serve"))
            return partyline::test::serve_broadcasts();
        if (argc == 5) {
            const plan what{std::stoul(argv[1]), std::stoul(argv[2]), std::stoull(argv[3]),
                            std::chrono::milliseconds(std::stol(argv[4]))};
            return partyline::test::broadcast_run(argv[0], what).run() ? 0 : 1;
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "soak_broadcast: %s\n", e.what());
        return 1;
    }
    std::fprintf(stderr, "usage: soak_broadcast SESSIONS_OF_EACH_KIND SLOW_SESSIONS BROADCASTS PERIOD_MS\n");
    return 2;
}
