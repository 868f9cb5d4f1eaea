#include "support/call_judge.hpp"

#include <boost/algorithm/string/split.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>

namespace partyline::test {
namespace {

using lines = std::vector<std::string>;

lines split(const std::string& text)
{
    lines parts;
    boost::algorithm::split(parts, text, [](char c) { return c == '|'; });
    return parts;
}

// In order, but that some progress may be missing, and for anything there may be a failure.
bool is_part_of(const lines& whole, const lines& parts, const std::vector<error_code>& documented)
{
    auto next = whole.begin();
    for (const std::string& part : parts) {
        const bool is_failure = std::any_of(documented.begin(), documented.end(), [&](const error_code& one) {
            return one && part == "failed: " + one.message();
        });
        if (is_failure)
            continue;
        next = std::find(next, whole.end(), part);
        if (next == whole.end())
            return false;
        ++next;
    }
    return !parts.back().starts_with("progress");
}

void compare(const lines& before, const lines& now, const fault& planned, const std::vector<error_code>& documented,
             lines& problems)
{
    if (planned.only_takes_longer() && now != before)
        problems.emplace_back("other calls than without the fault");
    for (std::size_t i = 0; i != now.size(); ++i) {
        const std::string whole = i < before.size() ? before[i] : std::string();
        if (!is_part_of(split(whole), split(now[i]), documented))
            problems.push_back("call " + std::to_string(i) + " came to: " + now[i] +
                               ", and without the fault to: " + whole);
    }
}

} // namespace

std::vector<std::string> find_call_problems(const session_record& clean, const session_record& faulty,
                                            const fault& planned)
{
    std::vector<error_code> documented{errc::session_closed, errc::peer_closed, errc::peer_gone, planned.error};
    if (planned.what == fault::kind::truncate || (faulty.struck_read && planned.error == boost::asio::error::eof))
        documented.push_back(errc::bad_reply); // of which the rest has not come
    lines problems;
    compare(clean.calls, faulty.calls, planned, documented, problems);
    // A session that ends cancels what runs, and so what that has called.
    documented.push_back(boost::asio::error::operation_aborted);
    compare(clean.handlers_calls, faulty.handlers_calls, planned, documented, problems);
    return problems;
}

} // namespace partyline::test
