#include "session/line_output.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace partyline;

namespace {

// A pipe with so much room.
struct pipe_like {
    std::size_t room = 0;
    error_code failure = {};
    std::string written = {};
    std::vector<std::string> writes = {}; // those that found room
    int waits = 0;
    std::size_t room_after_wait = 0;
};

class pipe_like_sink final : public line_sink {
public:
    explicit pipe_like_sink(pipe_like& to) : to_(to) {}

    std::size_t try_write(std::string_view bytes, error_code& failed) noexcept override
    {
        if (to_.failure)
            failed = to_.failure;
        const std::size_t count = to_.failure ? 0 : std::min(bytes.size(), to_.room);
        to_.room -= count;
        if (count != 0)
            to_.writes.emplace_back(bytes.substr(0, count));
        to_.written += bytes.substr(0, count);
        return count;
    }
    bool wait_for_room(std::chrono::milliseconds) noexcept override
    {
        ++to_.waits;
        to_.room += to_.room_after_wait;
        return to_.room != 0;
    }

private:
    pipe_like& to_;
};

struct fixture {
    pipe_like there;
    line_output lines{std::make_unique<pipe_like_sink>(there)};

    void fill_kept()
    {
        const std::string line = std::string(1023, 'k') + '\n';
        for (std::size_t kept = 0; kept < line_output::max_kept_bytes; kept += line.size())
            lines.write(line);
    }
    std::string last_written(std::size_t bytes) const { return there.written.substr(there.written.size() - bytes); }
};

constexpr std::size_t plenty = 100 << 20;

} // namespace

BOOST_FIXTURE_TEST_SUITE(line_outputs, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(write_each_line_by_one_write)
{
    there.room = plenty;
    lines.write("one\n");
    lines.write("two\nthree\n");
    const std::vector<std::string> expected = {"one\n", "two\n", "three\n"};
    BOOST_TEST(there.writes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keep_the_rest_of_a_line_and_write_it_before_the_next_one)
{
    there.room = 4;
    lines.write("abcdef\n");
    BOOST_TEST(there.written == "abcd");
    lines.write("second\n");
    BOOST_TEST(there.written == "abcd");
    there.room = plenty;
    lines.write("third\n");
    BOOST_TEST(there.written == "abcdef\nsecond\nthird\n");
    const std::vector<std::string> expected = {"abcd", "ef\n", "second\n", "third\n"};
    BOOST_TEST(there.writes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keep_the_rest_of_one_line_however_long_it_is)
{
    const std::string longer = std::string(2 * line_output::max_kept_bytes, 'x') + '\n';
    lines.write(longer);
    lines.write("dropped\n");
    there.room = plenty;
    lines.write("next\n");
    BOOST_TEST(there.written.starts_with(longer));
    BOOST_TEST(there.written.substr(longer.size()) ==
               "partyline: lines dropped here, since nobody has read them in time: 1\nnext\n");
}

BOOST_AUTO_TEST_CASE(drop_what_finds_no_room_and_tell_how_many_lines_that_were)
{
    fill_kept();
    for (int i = 0; i < 7; ++i)
        BOOST_TEST(!lines.write("dropped\n")); // which is no error
    there.room = plenty;
    lines.write("next\n");
    BOOST_TEST(there.written.size() > line_output::max_kept_bytes);
    const std::string told = "partyline: lines dropped here, since nobody has read them in time: 7\nnext\n";
    BOOST_TEST(last_written(told.size()) == told);
    lines.write("once\n");
    BOOST_TEST(last_written(told.size() + 5) == told + "once\n");
}

BOOST_AUTO_TEST_CASE(tell_it_at_the_end_too_without_waiting_for_long)
{
    fill_kept();
    lines.write("dropped\n");
    lines.finish(std::chrono::milliseconds(1));
    BOOST_TEST(there.waits == 1);
    BOOST_TEST(there.written == "");
    there.room_after_wait = 1000; // a reader who is slow
    lines.finish(std::chrono::minutes(1));
    BOOST_TEST(there.written.size() > line_output::max_kept_bytes);
    BOOST_TEST(there.written.ends_with("k\npartyline: lines dropped here, since nobody has read them in time: 1\n"));
    const int waits = there.waits;
    lines.finish(std::chrono::minutes(1));
    BOOST_TEST(there.waits == waits);
}

BOOST_AUTO_TEST_CASE(say_why_the_sink_has_failed_and_go_on_when_it_works_again)
{
    there.failure = make_error_code(boost::system::errc::no_space_on_device);
    BOOST_TEST(lines.write("one\n") == there.failure);
    lines.finish(std::chrono::minutes(1));
    BOOST_TEST(there.waits == 1); // since that would help nothing
    there.failure = {};
    there.room = plenty;
    BOOST_TEST(!lines.write("two\n"));
    BOOST_TEST(there.written == "one\ntwo\n");
}

BOOST_AUTO_TEST_SUITE_END()
