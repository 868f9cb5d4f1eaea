#include "support/each_step.hpp"

#include "support/call_judge.hpp"
#include "support/heard.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <iterator>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using kind = fault::kind;

// Whether input may have been cut off, also in the middle of a line.
bool cuts_input(const fault& planned, bool struck_read)
{
    return planned.what == kind::truncate || (struck_read && planned.error == asio::error::eof);
}

// Whether output works to the end, so that nothing that was begun goes without its answer.
bool spares_output(const fault& planned, bool struck_read)
{
    return planned.only_takes_longer() || planned.what == kind::interrupt ||
           (planned.what == kind::fail && struck_read);
}

bool is_disconnection(error_code failed)
{
    return failed == asio::error::connection_reset || failed == asio::error::broken_pipe;
}

class judge {
public:
    judge(const session_record& clean, const session_record& faulty, const fault& planned)
        : planned_(planned), faulty_(faulty), clean_(clean), before_(clean.lines), now_(faulty.lines)
    {
        problems_ = faulty.problems;
    }

    std::vector<std::string> look()
    {
        if (!now_.is_readable())
            add("a line is no message");
        judge_answers();
        judge_notifications();
        judge_calls();
        judge_completeness();
        judge_result();
        return std::move(problems_);
    }

private:
    void add(std::string text) { problems_.push_back(std::move(text)); }

    void judge_answers()
    {
        for (const auto& [id, text] : now_.answers()) {
            if (now_.answers().count(id) > 1)
                add("answered twice: " + id);
            if (!faulty_.sent.contains(id))
                add("answered what was not asked: " + text);
            if (!is_allowed(id, text))
                add("made up: " + text);
        }
        for (const std::string& text : now_.unaddressed()) {
            if (now_.times_unaddressed(text) > before_.times_unaddressed(text) && !may_be_of_a_fragment(text))
                add("made up: " + text);
        }
    }

    bool is_allowed(const std::string& id, const std::string& text) const
    {
        const auto [from, to] = before_.answers().equal_range(id);
        if (std::any_of(from, to, [&](const auto& answer) { return answer.second == text; }))
            return true;
        // A session that ends cancels what runs; then "keep" keeps. What the fault has cut off is no message any more.
        return text.find(R"("code":-32800)") != std::string::npos || text.find(R"("kept")") != std::string::npos ||
               text.find(R"("failed")") != std::string::npos || may_be_of_a_fragment(text) ||
               may_have_missed_its_cancel(id);
    }

    bool may_have_missed_its_cancel(const std::string& id) const
    {
        const auto found = before_.answers().find(id);
        return cuts_input(planned_, faulty_.struck_read) && found != before_.answers().end() &&
               (found->second.find(R"("code":-32800)") != std::string::npos ||
                found->second.find(R"("kept")") != std::string::npos);
    }

    bool may_be_of_a_fragment(const std::string& text) const
    {
        return cuts_input(planned_, faulty_.struck_read) && (text.find(R"("code":-32700)") != std::string::npos ||
                                                             text.find(R"("code":-32600)") != std::string::npos);
    }

    // Per request a beginning of what it said without the fault.
    void judge_notifications()
    {
        if (now_.has_late_progress())
            add("progress after the answer");
        for (const auto& [source, texts] : now_.notifications()) {
            const auto found = before_.notifications().find(source);
            const auto& whole = found == before_.notifications().end() ? nothing_ : found->second;
            if (texts.size() > whole.size() || !std::equal(texts.begin(), texts.end(), whole.begin()))
                add("said otherwise: " + source);
        }
    }

    void judge_calls()
    {
        for (std::string& problem : find_call_problems(clean_, faulty_, planned_))
            add(std::move(problem));
        for (const std::string& id : now_.calls()) {
            if (now_.calls().count(id) > 1)
                add("called twice: " + id);
        }
        if (now_.has_stray_cancel())
            add("cancelled what was not called");
    }

    void judge_completeness()
    {
        const bool is_whole = spares_output(planned_, faulty_.struck_read) || !faulty_.result;
        if (!is_whole)
            return;
        if (!faulty_.tail.empty())
            add("the last line is cut off");
        for (const std::string& id : faulty_.started) {
            if (!now_.answers().contains(id))
                add("not answered: " + id);
        }
        if (!planned_.only_takes_longer())
            return;
        if (now_.answers() != before_.answers() || now_.sorted_unaddressed() != before_.sorted_unaddressed())
            add("other answers than without the fault");
        if (now_.notifications() != before_.notifications())
            add("other notifications than without the fault");
        if (now_.calls() != before_.calls())
            add("other calls than without the fault");
    }

    void judge_result()
    {
        std::vector<error_code> expected = expected_results();
        if (clean_.result)
            expected.push_back(clean_.result); // known before the fault came
        if (std::find(expected.begin(), expected.end(), faulty_.result) == expected.end())
            add("ended with: " + faulty_.result.message());
    }

    std::vector<error_code> expected_results() const
    {
        const error_code peer_gone = errc::peer_gone;
        // The end of input, where replies may be missing.
        const error_code no_more = before_.calls().empty() ? error_code() : errc::peer_closed;
        switch (planned_.what) {
        case kind::fail:
            if (!faulty_.struck_read)
                return {planned_.error == asio::error::eof ? planned_.error : peer_gone};
            if (planned_.error == asio::error::eof)
                return {error_code(), no_more};
            return {is_disconnection(planned_.error) ? peer_gone : planned_.error};
        case kind::lose: return {peer_gone};
        case kind::truncate: return {error_code(), no_more, peer_gone};
        // What comes when all has been said changes nothing.
        case kind::interrupt: return {asio::error::operation_aborted, clean_.result};
        default: return {clean_.result};
        }
    }

    const fault& planned_;
    const session_record& faulty_;
    const session_record& clean_;
    const heard before_;
    const heard now_;
    const std::vector<std::string> nothing_;
    std::vector<std::string> problems_;
};

} // namespace

const std::vector<fault>& all_faults()
{
    const error_code io_error(EIO, boost::system::system_category());
    static const std::vector<fault> all{
        {kind::fail, "connection_reset", asio::error::connection_reset},
        {kind::fail, "broken_pipe", asio::error::broken_pipe},
        {kind::fail, "eof", asio::error::eof},
        {kind::fail, "EIO", io_error},
        {kind::lose, "lost", asio::error::connection_reset},
        {kind::truncate, "truncated", {}},
        {kind::truncate, "truncated after 1 byte", {}, 1},
        {kind::truncate, "truncated after 50 bytes", {}, 50},
        {kind::start_late, "started late", {}},
        {kind::finish_late, "told late", {}},
        {kind::shorten, "short", {}},
        {kind::interrupt, "stop", {}},
        {kind::interrupt, "destroy", {}},
    };
    return all;
}

std::vector<std::string> find_problems(const session_record& clean, const session_record& faulty, const fault& planned)
{
    return judge(clean, faulty, planned).look();
}

session_record perform(const script& played, connection::kind what, const fault& planned)
{
    scripted_session run(what, planned);
    played.act(run);
    return run.finish();
}

void for_each_step_failing(const script& played, connection::kind what)
{
    const std::string name = played.name + " over " + to_string(what);
    const session_record clean = perform(played, what, {});
    std::vector<std::string> problems = find_problems(clean, clean, {});
    std::size_t failed = 0;
    for (fault planned : all_faults()) {
        for (planned.step = 1; planned.step <= clean.steps; ++planned.step) {
            const session_record run = perform(played, what, planned);
            failed += run.has_struck;
            for (const std::string& problem : find_problems(clean, run, planned))
                problems.push_back(planned.name + " at step " + std::to_string(planned.step) + ": " + problem);
        }
    }
    const std::size_t expected = clean.steps * all_faults().size();
    const std::string summary = name + ": " + std::to_string(clean.steps) + " steps, each with " +
                                std::to_string(all_faults().size()) + " faults: " + std::to_string(failed) + " failed";
    std::cout << summary << std::endl;
    BOOST_TEST_MESSAGE(summary);
    BOOST_TEST_CONTEXT(name)
    {
        BOOST_TEST(clean.steps >= 3u); // at least: a read, a write, the end of input
        BOOST_TEST(failed == expected);
        for (const std::string& problem : problems)
            BOOST_ERROR(problem);
    }
}

} // namespace partyline::test
