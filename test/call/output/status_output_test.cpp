#include <boost/test/unit_test.hpp>

#include <sstream>

#include <call/output/status_output.hpp>

namespace {

const std::string erase = "\r\x1b[K";

struct shown {
    explicit shown(std::function<std::size_t()> columns = {})
        : on([this](std::string_view text) { out << text; }, std::move(columns))
    {
    }

    // What was written since the last time.
    std::string take()
    {
        std::string text = out.str();
        out.str("");
        return text;
    }

    std::ostringstream out;
    call::status_output on;
};

std::size_t eighty()
{
    return 80;
}

} // namespace

BOOST_AUTO_TEST_SUITE(screens)

BOOST_AUTO_TEST_CASE(without_a_terminal_everything_is_a_line)
{
    shown s;
    s.on.say("words");
    s.on.show_progress({40, "m"}, "a");
    s.on.clear_bar();
    BOOST_TEST(s.take() == "words\na: progress 40%: m\n");
}

BOOST_AUTO_TEST_CASE(a_bar_is_drawn_where_the_last_one_was_and_only_when_it_has_changed)
{
    shown s(eighty);
    s.on.show_progress({{}, "one"}, "");
    BOOST_TEST(s.take() == erase + "one");
    s.on.show_progress({{}, "one"}, "");
    BOOST_TEST(s.take() == "");
    s.on.show_progress({{}, "two"}, "");
    BOOST_TEST(s.take() == erase + "two");
    s.on.clear_bar();
    BOOST_TEST(s.take() == erase);
    s.on.clear_bar();
    BOOST_TEST(s.take() == "");
}

BOOST_AUTO_TEST_CASE(a_line_goes_above_the_bar)
{
    shown s(eighty);
    s.on.say("first");
    BOOST_TEST(s.take() == "first\n");
    s.on.show_progress({{}, "bar"}, "");
    s.take();
    s.on.say("second");
    BOOST_TEST(s.take() == erase + "second\n" + erase + "bar");
}

BOOST_AUTO_TEST_CASE(there_is_no_bar_while_the_user_types)
{
    shown s(eighty);
    s.on.show_progress({{}, "one"}, "");
    s.take();
    s.on.begin_typing();
    BOOST_TEST(s.take() == erase);
    s.on.show_progress({{}, "two"}, "");
    s.on.say("line");
    BOOST_TEST(s.take() == "line\n");
    s.on.end_typing();
    s.on.show_progress({{}, "three"}, "");
    BOOST_TEST(s.take() == erase + "three");
}

BOOST_AUTO_TEST_CASE(a_bar_leaves_the_last_column_free)
{
    shown s([] { return std::size_t(4); });
    s.on.show_progress({{}, "abcdef"}, "");
    BOOST_TEST(s.take() == erase + "abc");
}

BOOST_AUTO_TEST_SUITE_END()
