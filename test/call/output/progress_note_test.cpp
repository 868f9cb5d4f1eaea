#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <call/output/progress_note.hpp>

namespace {

call::progress_note note_of(const char* json)
{
    return call::read_progress(boost::json::parse(json));
}

std::string line_of(const char* json, std::string_view label = "")
{
    return call::to_line(note_of(json), label);
}

} // namespace

BOOST_AUTO_TEST_SUITE(progress_notes)

BOOST_AUTO_TEST_CASE(a_line_tells_whatever_a_server_takes_for_progress)
{
    const std::pair<const char*, const char*> rows[] = {
        {"40", "progress 40%"},
        {"0", "progress 0%"},
        {"100", "progress 100%"},
        {"99.9", "progress 99%"},
        {"101", "progress 101"},
        {"-1", "progress -1"},
        {"\"linking\"", "progress linking"},
        {R"({"percentage":40})", "progress 40%"},
        {R"({"kind":"report","percentage":40,"message":"linking"})", "progress 40%: linking"},
        {R"({"kind":"begin","title":"Build","message":"linking"})", "progress Build: linking"},
        {R"({"kind":"end"})", R"(progress {"kind":"end"})"},
        {R"({"progress":3,"total":4})", "progress 75%"},
        {R"({"progress":3,"total":4,"message":"files"})", "progress 75%: files"},
        {R"({"progress":3})", R"(progress {"progress":3})"},
        {R"({"progress":3,"message":"files"})", "progress files"},
        {R"({"progress":5,"total":4})", R"(progress {"progress":5,"total":4})"},
        {R"({"progress":5,"total":0})", R"(progress {"progress":5,"total":0})"},
        {R"({"percentage":400,"message":"m"})", "progress m"},
        {R"({"percentage":"40"})", R"(progress {"percentage":"40"})"},
        {"null", "progress null"},
        {"[1,2]", "progress [1,2]"},
    };
    for (const auto& [value, line] : rows)
        BOOST_TEST(line_of(value) == line);
}

BOOST_AUTO_TEST_CASE(a_label_comes_first)
{
    BOOST_TEST(line_of("40", "\"a\"") == "\"a\": progress 40%");
    BOOST_TEST(call::to_bar(note_of("40"), "3", 80) == "3 [========            ] 40%");
}

BOOST_AUTO_TEST_CASE(a_bar_shows_the_percentage_and_what_is_said)
{
    const auto bar = [](const char* json) { return call::to_bar(note_of(json), "", 80); };
    BOOST_TEST(bar("0") == "[                    ] 0%");
    BOOST_TEST(bar("50") == "[==========          ] 50%");
    BOOST_TEST(bar("99.9") == "[=================== ] 99%");
    BOOST_TEST(bar("100") == "[====================] 100%");
    BOOST_TEST(bar(R"({"percentage":50,"message":"half"})") == "[==========          ] 50% half");
    BOOST_TEST(bar("\"words alone\"") == "words alone");
}

BOOST_AUTO_TEST_CASE(a_bar_is_no_wider_than_its_terminal_and_is_not_cut_within_a_character)
{
    const auto note = note_of(R"("äöü")");
    BOOST_TEST(call::to_bar(note, "", 3) == "äöü");
    BOOST_TEST(call::to_bar(note, "", 2) == "äö");
    BOOST_TEST(call::to_bar(note, "", 0) == "");
    BOOST_TEST(call::to_bar(note_of("50"), "", 5) == "[====");
}

BOOST_AUTO_TEST_CASE(a_long_line_is_cut)
{
    const std::string line = line_of(('"' + std::string(100'000, 'x') + '"').c_str());
    BOOST_TEST(line == "progress " + std::string(4087, 'x') + "...");
}

BOOST_AUTO_TEST_CASE(what_a_server_says_cannot_command_the_terminal)
{
    BOOST_TEST(line_of(R"("a\u001b[2J\nb\u0007")") == R"(progress a\u001b[2J\u000ab\u0007)");
    BOOST_TEST(call::to_bar(note_of(R"("a\rb\u009bc")"), "", 80) == R"(a\u000db\u009bc)");
}

BOOST_AUTO_TEST_SUITE_END()
