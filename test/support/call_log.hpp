#pragma once

#include <partyline/session/caller.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

namespace partyline::test {

/// What has become of calls, notifications and batches, in the order in which they were made.
class call_log {
public:
    /// Each returns its number.
    std::size_t call(caller& from, std::string method, call_params params = nullptr, call_options options = {});
    std::size_t notify(caller& from, std::string method, call_params params = nullptr);
    std::size_t batch(caller& from, call_batch calls, call_options options = {});
    void cancel(std::size_t number);

    std::size_t size() const { return entries_.size(); }
    /// How many have completed, all together.
    std::size_t completions() const { return completions_; }
    /// In words: "result 1", "error -32601", "failed: <code>", "sent", for a batch "replies|result 1|error -32601";
    /// "told 0 times" and the like where that was not once. Progress goes before: "progress 1|result 1".
    std::vector<std::string> texts() const;
    /// Whether progress was told after the end.
    bool has_late_progress() const { return has_late_progress_; }

private:
    struct entry {
        int times = 0;
        std::string text;
        std::string progress;
        boost::asio::cancellation_signal cancel;
    };

    entry& add(call_options& options);
    void end(entry& of, std::string text);

    std::deque<entry> entries_; // handlers refer to them
    std::size_t completions_ = 0;
    bool has_late_progress_ = false;
};

} // namespace partyline::test
