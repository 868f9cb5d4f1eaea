#pragma once

#include <boost/json/value.hpp>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// What a peer has heard, sorted: answers by their id, notifications by whose they are.
class heard {
public:
    explicit heard(const std::vector<std::string>& lines);

    bool is_readable() const { return is_readable_; }
    /// Each answer, batches taken apart, by the text of its id.
    const std::multimap<std::string, std::string>& answers() const { return answers_; }
    /// Answers whose id is null, in order.
    const std::vector<std::string>& unaddressed() const { return unaddressed_; }
    std::vector<std::string> sorted_unaddressed() const;
    std::size_t times_unaddressed(const std::string& text) const;
    /// In order, by the progress token, or else by the text of the params.
    const std::map<std::string, std::vector<std::string>>& notifications() const { return notifications_; }
    bool has_late_progress() const { return has_late_progress_; }
    /// The ids of what the peer was asked.
    const std::multiset<std::string>& calls() const { return calls_; }
    /// Something was cancelled that was not asked before, or that was cancelled already.
    bool has_stray_cancel() const { return has_stray_cancel_; }

private:
    void add(const boost::json::value& message);
    void add_cancel(const boost::json::object& params);

    bool is_readable_ = true;
    bool has_late_progress_ = false;
    std::multiset<std::string> calls_;
    std::set<std::string> cancels_;
    bool has_stray_cancel_ = false;
    std::multimap<std::string, std::string> answers_;
    std::vector<std::string> unaddressed_;
    std::map<std::string, std::vector<std::string>> notifications_;
};

} // namespace partyline::test
