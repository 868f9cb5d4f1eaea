// Two servers, each of which takes the other for its client.

#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <signal.h>

using namespace partyline::test;

namespace {

// One of two servers wired crosswise: what the test sends comes between what the other one writes.
struct crossed_server : witnessed_server {
    crossed_server(wire ends, std::filesystem::path trace_file)
        : witnessed_server({"--trace", trace_file.string()}, std::move(ends)), trace(std::move(trace_file))
    {
    }

    void stop()
    {
        child().signal(SIGTERM);
        wait_exit();
    }
    int messages(const char* line, const char* element) const
    {
        const std::string all = read_file(trace);
        return count_of(all, line) - count_of(all, element);
    }
    int messages_in() const { return messages(" in ", " in  element"); }
    int messages_out() const { return messages(" out ", " out element"); }

    std::filesystem::path trace;
};

struct crossed_wires {
    wire first;
    wire second;
};

crossed_wires cross()
{
    pipe_ends to_first = make_pipe();
    pipe_ends to_second = make_pipe();
    crossed_wires both;
    both.first.to_server = duplicate(to_first.write.get());
    both.second.to_server = duplicate(to_second.write.get());
    both.first.server_in = std::move(to_first.read);
    both.second.server_out = std::move(to_first.write);
    both.second.server_in = std::move(to_second.read);
    both.first.server_out = std::move(to_second.write);
    return both;
}

} // namespace

BOOST_AUTO_TEST_SUITE(back_to_back, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(two_servers_wired_to_each_other_fall_silent_after_a_bad_line)
{
    scratch_directory scratch;
    for (const char* line : {"rubbish", "{}", "[]", "[1,{},[]]", R"({"jsonrpc":"2.0","id":true,"method":"x"})",
                             R"({"jsonrpc":"2.0","id":1,"method":"nothing"})"}) {
        BOOST_TEST_CONTEXT(line)
        {
            crossed_wires wires = cross();
            crossed_server first(std::move(wires.first), scratch / "first");
            crossed_server second(std::move(wires.second), scratch / "second");
            first.send(line);
            const int rounds = 5;
            for (int i = 0; i < rounds; ++i) {
                first.settle();
                second.settle();
            }
            first.stop();
            second.stop();
            BOOST_TEST(first.messages_out() == 1);
            BOOST_TEST(first.messages_in() == 1 + first.marks());
            BOOST_TEST(second.messages_out() == 0);
            BOOST_TEST(second.messages_in() == 1 + second.marks());
            std::filesystem::remove(scratch / "first");
            std::filesystem::remove(scratch / "second");
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
