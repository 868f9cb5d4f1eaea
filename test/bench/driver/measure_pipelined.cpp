// Many requests after each other, over standard streams or many connections.

#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace bench {
namespace {

constexpr double bytes_of_a_mebibyte = 1 << 20;

/// Keeps each connection's requests under way.
class bursts {
public:
    bursts(client& wire, const std::vector<caller>& callers, const post_set& posts, std::size_t at_once)
        : wire_(wire), callers_(callers), posts_(posts), at_once_(at_once), begun_(callers.size()),
          ended_(callers.size())
    {
        for (std::size_t i = 0; i < callers.size(); ++i) {
            callers[i].over->mark = i;
            before_.push_back(callers[i].over->answers());
        }
    }

    void run(std::size_t messages)
    {
        for (std::size_t i = 0; i < callers_.size(); ++i)
            send(i);
        wire_.run(messages, [this] { return running_ == 0; }, [this](connection& one) { note(one); });
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

    // Answers that nobody has asked for are told of by the check of all.
    void note(connection& one)
    {
        const std::size_t i = one.mark;
        if (one.has_unsent() || one.answers() - before_[i] < begun_[i] || ended_[i] == begun_[i])
            return;
        ended_[i] = begun_[i];
        --running_;
        send(i);
    }

    client& wire_;
    const std::vector<caller>& callers_;
    const post_set& posts_;
    std::size_t at_once_;
    std::vector<std::size_t> begun_;  // requests that are sent, by connection
    std::vector<std::size_t> ended_;  // as many when these were answered
    std::vector<std::size_t> before_; // answers that are not to these
    std::size_t running_ = 0;         // connections whose burst is not answered yet
};

} // namespace

figures pipelined(trial& run, const job& job)
{
    random_source random(job.seed);
    const request_set requests = make_requests(job, random);
    const std::vector<caller> callers = run.open_all(job.connections);
    std::vector<head_recipe> heads;
    for (const caller& each : callers)
        heads.push_back(each.how);
    const post_set posts(heads, requests);
    run.wire().received().make_room(2 * requests.text().size());
    bursts all(run.wire(), callers, posts, job.at_once != 0 ? job.at_once : requests.messages());
    run.mark();
    const auto begin = std::chrono::steady_clock::now();
    all.run(requests.messages());
    const microseconds time = std::chrono::steady_clock::now() - begin;
    const auto peak = static_cast<double>(run.process().peak_bytes());
    run.check(requests);

    const auto count = static_cast<double>(job.requests);
    return {{"cpu_us", cpu_us_each(run, job.requests)},
            {"per_second", count / time.count() * 1e6},
            {"wall_ms", time.count() / 1e3 / count},
            {"peak_mib", peak / bytes_of_a_mebibyte},
            {"peak_per_message", peak / static_cast<double>(requests.params_bytes())}};
}

} // namespace bench
