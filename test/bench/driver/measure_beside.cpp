// A thousand requests a second beside connections that have nothing to do, or that take their time.

#include "command_line/percentile.hpp"
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <vector>

namespace bench {
namespace {

using clock = std::chrono::steady_clock;
using command_line::percentile;

constexpr auto interval = std::chrono::milliseconds(1);

/// Connections that send a head byte by byte, one a second each, so that it never ends. Those that the server closes
/// are opened again.
class slow_connections {
public:
    slow_connections(trial& run, std::size_t count) : run_(run), count_(count) { fill(); }

    /// To be called often: sends what is due, a byte at a time, so that none of it comes as a burst.
    void poll()
    {
        if (count_ == 0 || clock::now() < due_)
            return;
        due_ += std::chrono::seconds(1) / count_;
        fill();
        next_ = (next_ + 1) % count_;
        run_.wire().send(*run_.wire().doomed()[next_], "x");
    }

private:
    void fill()
    {
        while (run_.wire().doomed().size() < count_)
            run_.wire().send(run_.open_doomed(), "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    }

    trial& run_;
    std::size_t count_;
    std::size_t next_ = 0; // whose turn it is
    clock::time_point due_ = clock::now();
};

/// Sends each request when it is due, over a connection that waits for nothing. A request for which there is none
/// waits, and that counts.
class steady_load {
public:
    steady_load(trial& run, const std::vector<caller>& callers, const post_set& posts)
        : wire_(run.wire()), posts_(posts), begun_(callers.size())
    {
        for (std::size_t i = 0; i < callers.size(); ++i) {
            callers[i].over->mark = i;
            free_.push_back(callers[i].over);
        }
        times_.reserve(posts.count(0));
    }

    /// How long each took, in microseconds, the shortest first.
    std::vector<double> run(slow_connections& beside)
    {
        constexpr std::chrono::seconds patience(10);
        due_ = clock::now();
        const auto end = due_ + static_cast<std::int64_t>(posts_.count(0)) * interval + patience;
        while (times_.size() < posts_.count(0)) {
            send_due();
            beside.poll();
            wire_.poll(time_to_wait(), [this](connection& one) { note(one); });
            if (clock::now() > end)
                throw failure("has not answered all requests in time");
        }
        std::sort(times_.begin(), times_.end());
        return std::move(times_);
    }

private:
    bool has_more() const { return sent_ < posts_.count(0); }

    void send_due()
    {
        for (; has_more() && clock::now() >= due_ && !free_.empty(); due_ += interval) {
            connection& one = *free_.front();
            free_.pop_front();
            const auto now = clock::now();
            begun_[one.mark] = now >= due_ + interval ? due_ : now;
            wire_.send(one, posts_.text(0, sent_++, 1));
        }
    }

    // Without a free connection answers alone wake it.
    std::chrono::nanoseconds time_to_wait() const
    {
        return has_more() && !free_.empty() ? due_ - clock::now() : 10 * interval;
    }

    void note(connection& one)
    {
        times_.push_back(microseconds(clock::now() - begun_[one.mark]).count());
        free_.push_back(&one);
    }

    client& wire_;
    const post_set& posts_;
    std::vector<clock::time_point> begun_; // of each connection's request
    std::deque<connection*> free_;
    std::size_t sent_ = 0;
    clock::time_point due_;
    std::vector<double> times_;
};

} // namespace

figures beside_idle(trial& run, const job& job)
{
    constexpr std::size_t idle_of_a_slow_one = 100;
    random_source random(job.seed);
    const request_set requests = make_requests(job, random);
    const std::vector<caller> callers = run.open_all(job.connections);
    const post_set posts({callers.front().how}, requests);
    open_idle(run, job);
    slow_connections slow(run, job.idle / idle_of_a_slow_one);
    run.mark();
    const std::vector<double> times = steady_load(run, callers, posts).run(slow);
    const double cpu = microseconds(run.used()).count() / static_cast<double>(job.requests);
    run.check(requests);
    run.finish();
    return {{"p50_us", percentile(times, 50)},
            {"p99_us", percentile(times, 99)},
            {"max_us", times.back()},
            {"cpu_us", cpu}};
}

} // namespace bench
