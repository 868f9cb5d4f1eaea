#pragma once

#include "support/race.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/array.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace partyline::test {

/// What a call to one of a busy pair asks for.
struct assignment {
    int depth = 3;         // so often the one that is asked asks the other one
    int turns = 0;         // that its handlers take, each with its slot, before they ask
    std::string text;      // comes back,
    std::size_t extra = 0; // with so many bytes
};

boost::json::array params_of(const assignment& asked);
std::string answer_to(const assignment& asked);

/// The one method, "work": answers what the peer answers to the same assignment one level below.
method_table make_work();

/// The timeout of all calls. Nobody needs it: a call that ends by it was stuck.
call_options patient();

/// "result", "busy", or what else a call has come to.
std::string outcome_of(const assignment& asked, error_code failed, const call_result<std::string>& got);

/// Two sessions that call each other, both as busy as they may be, and what has become of each call.
template <class Stream>
class busy_pair {
public:
    busy_pair(const session_options& options, assignment asked)
        : asked_(std::move(asked)), ends_(make_ends<Stream>(context_.get_executor(), context_.get_executor())),
          first_(std::move(ends_.first), make_work(), options), second_(std::move(ends_.second), make_work(), options)
    {
        first_.async_run([](error_code) {});
        second_.async_run([](error_code) {});
    }

    /// Makes so many calls at once, and waits for all.
    void call(int from_first, int from_second)
    {
        for (int i = 0; i != from_first; ++i)
            start(first_);
        for (int i = 0; i != from_second; ++i)
            start(second_);
        while (open_ != 0 && context_.run_one() != 0) { // ends: the calls have a timeout
        }
    }

    /// Nothing is left, of much.
    void check_idle() const
    {
        for (const session* side : {&first_, &second_}) {
            const session_counters counted = side->counters();
            BOOST_TEST(counted.open_calls == 0u);
            BOOST_TEST(counted.in_flight == 0u);
            BOOST_TEST(counted.waiting == 0u);
            BOOST_TEST(counted.outbox_bytes == 0u);
            BOOST_TEST(counted.peak_waiting != 0u); // it has been at its cap
        }
    }

    int times(const std::string& what) const
    {
        const auto found = outcomes_.find(what);
        return found == outcomes_.end() ? 0 : found->second;
    }
    std::string summary() const
    {
        std::string text;
        for (const auto& [what, count] : outcomes_)
            text += std::to_string(count) + " x " + what + "; ";
        return text;
    }

private:
    void start(session& side)
    {
        ++open_;
        const auto done = [this](error_code failed, const call_result<std::string>& got) {
            ++outcomes_[outcome_of(asked_, failed, got)];
            --open_;
        };
        side.call<std::string>("work", params_of(asked_), patient())(done);
    }

    boost::asio::io_context context_{1};
    assignment asked_;
    std::pair<Stream, Stream> ends_;
    session first_;
    session second_;
    int open_ = 0;
    std::map<std::string, int> outcomes_;
};

} // namespace partyline::test
