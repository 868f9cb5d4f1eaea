#include "measure.hpp"

#include "bench/driver/wire.hpp"
#include "trial.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace bench::http {
namespace {

using clock = std::chrono::steady_clock;
using microseconds = std::chrono::duration<double, std::micro>;

constexpr double mebibyte = 1 << 20;

/// Keeps each connection's requests under way.
class bursts {
public:
    bursts(client& wire, const std::vector<caller>& callers, const post_set& posts, std::size_t at_once)
        : wire_(wire), callers_(callers), posts_(posts), at_once_(at_once), begun_(callers.size())
    {
        for (std::size_t i = 0; i < callers.size(); ++i) {
            callers[i].over->mark = i;
            before_.push_back(callers[i].over->answers());
        }
    }

    void run()
    {
        for (std::size_t i = 0; i < callers_.size(); ++i)
            send(i);
        wire_.run([this] { return running_ == 0; }, [this](connection& one) { note(one); });
    }

private:
    void send(std::size_t i)
    {
        const std::string_view text = posts_.text(i, begun_[i], at_once_);
        begun_[i] = std::min(begun_[i] + at_once_, posts_.count(i));
        if (text.empty())
            return;
        ++running_;
        wire_.send(*callers_[i].over, text);
    }

    void note(connection& one)
    {
        const std::size_t i = one.mark;
        const std::size_t answered = one.answers() - before_[i];
        if (answered < begun_[i])
            return;
        if (answered > begun_[i] || running_ == 0)
            throw failure("has answered more than it was asked");
        --running_;
        send(i);
    }

    client& wire_;
    const std::vector<caller>& callers_;
    const post_set& posts_;
    std::size_t at_once_;
    std::vector<std::size_t> begun_;  // requests that are sent, by connection
    std::vector<std::size_t> before_; // answers that are not to these
    std::size_t running_ = 0;         // connections whose burst is not answered yet
};

request_set make_requests(const job& job, random_source& random)
{
    return request_set({.method = job.method, .fill = job.fill, .count = job.requests, .like = job.like}, random);
}

} // namespace

figures posting(trial& run, const job& job)
{
    random_source random(job.seed);
    const request_set requests = make_requests(job, random);
    const std::vector<caller> callers = run.open_all(job.connections);
    const post_set posts(heads_of(callers), requests);
    run.wire().received().make_room(2 * requests.text().size());
    bursts all(run.wire(), callers, posts, job.at_once);
    run.mark();
    const auto begin = clock::now();
    all.run();
    const microseconds time = clock::now() - begin;
    const auto peak = static_cast<double>(run.process().peak_bytes());
    run.check(requests);

    const auto count = static_cast<double>(job.requests);
    return {{"cpu_us", microseconds(run.finish()).count() / count},
            {"per_second", count / time.count() * 1e6},
            {"peak_mib", peak / mebibyte}};
}

} // namespace bench::http
