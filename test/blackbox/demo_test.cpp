#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <sstream>

using namespace partyline::test;
using partyline::message;
using partyline::message_reader;

namespace {

// What the demo printed, read as the messages that it says they are.
class conversation {
public:
    explicit conversation(const std::string& text)
    {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("-> "))
                take(line.substr(3), asked);
            else if (line.starts_with("<- "))
                take(line.substr(3), answered);
        }
    }

    // The ids of requests and of replies in their order; "null" for what has none.
    std::vector<std::string> asked;
    std::vector<std::string> answered;
    int progress = 0;
    int batches = 0;

private:
    void take(const std::string& line, std::vector<std::string>& ids)
    {
        const message& all = reader_.read(line);
        if (all.type != partyline::message_type::batch)
            return note(all, ids);
        ++batches;
        for (const std::string_view element : reader_.elements())
            note(reader_.read_element(element), ids);
    }

    void note(const message& m, std::vector<std::string>& ids)
    {
        if (m.type != partyline::message_type::notification)
            ids.emplace_back(m.id.empty() ? "null" : m.id);
        else if (&ids == &answered)
            ++progress;
    }

    message_reader reader_{partyline::limits{}};
};

} // namespace

BOOST_AUTO_TEST_SUITE(demo, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(every_printed_request_has_its_printed_answer)
{
    echo_server s({"--demo"});
    const std::string text = s.output().read_rest();
    BOOST_TEST(s.wait_exit() == 0);
    BOOST_TEST(s.errors() == "");

    BOOST_TEST_CONTEXT(text)
    {
        conversation shown(text);
        BOOST_TEST(shown.asked.size() >= 8u);
        BOOST_TEST(shown.asked != shown.answered); // out of order
        std::sort(shown.asked.begin(), shown.asked.end());
        std::sort(shown.answered.begin(), shown.answered.end());
        BOOST_TEST(shown.asked == shown.answered, boost::test_tools::per_element());
        BOOST_TEST(shown.progress > 0);
        BOOST_TEST(shown.batches == 2);
        BOOST_TEST(contains(text, "-32800"));
        BOOST_TEST(contains(text, "-32602"));
        BOOST_TEST(contains(text, "the call ended: Operation canceled"));
    }
}

BOOST_AUTO_TEST_CASE(the_demo_does_without_input_and_ends_when_nobody_looks)
{
    wire ends = pipe_wire();
    ends.server_in.reset();
    ends.from_server.reset();
    echo_server s({"--demo"}, std::move(ends));
    BOOST_TEST(s.wait_exit() == -SIGPIPE); // as any program whose output nobody reads
}

BOOST_AUTO_TEST_SUITE_END()
