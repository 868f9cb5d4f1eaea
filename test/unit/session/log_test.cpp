#include "support/dialogue.hpp"

#include <partyline/session/log.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace partyline::test;

namespace {

struct fixture : dialogue {
    std::string logged_line()
    {
        BOOST_TEST_REQUIRE(logged.size() == 1u);
        return logged[0];
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(log_lines, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(are_lines_whatever_is_in_them)
{
    partyline::write_log(options.log, "a\nb\x1b[2J\xff\u202e");
    BOOST_TEST(logged_line() == "a\\u000ab\\u001b[2J\ufffd\\u202e");
}

BOOST_AUTO_TEST_CASE(are_no_longer_than_one_can_read)
{
    partyline::write_log(options.log, std::string(100'000, 'x'));
    BOOST_TEST(logged_line() == std::string(4096, 'x') + "...");
}

BOOST_AUTO_TEST_CASE(name_methods_of_any_name_and_exceptions_of_any_text)
{
    methods.add("a\u2028b\x7f", []() -> int { throw std::runtime_error("c\u009bd\r\xfe"); });
    send(request("1", "a\u2028b\\u007f"));
    receive();
    BOOST_TEST(logged_line() == R"(the handler of "a\u2028b\u007f" threw std::runtime_error: c\u009bd\u000d)"
                                "\ufffd");
}

BOOST_AUTO_TEST_SUITE_END()
