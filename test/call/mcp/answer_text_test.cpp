// What a person reads of answers.

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

#include <call/mcp/answer_text.hpp>

namespace mcp = partyline::mcp;
using call::text_of;

namespace {

boost::json::object block(const char* text)
{
    return boost::json::parse(text).as_object();
}

std::string shown_block(const char* text)
{
    mcp::tool_answer answer;
    answer.content.push_back(block(text));
    return text_of(answer);
}

} // namespace

BOOST_AUTO_TEST_SUITE(answer_texts)

BOOST_AUTO_TEST_CASE(a_tools_texts_stand_as_they_are_and_the_rest_in_brackets)
{
    BOOST_TEST(shown_block(R"({"type":"text","text":"a\nb\n"})") == "a\nb\n");
    BOOST_TEST(shown_block(R"({"type":"text","text":"a"})") == "a\n");
    BOOST_TEST(shown_block(R"({"type":"image","mimeType":"image/png","data":"AA=="})") == "[image image/png]\n");
    BOOST_TEST(shown_block(R"({"type":"resource_link","uri":"a:b","name":"n"})") == "[link to a:b]\n");
    BOOST_TEST(shown_block(R"({"type":"resource","resource":{"uri":"a:b","text":"t"}})") == "t\n");
    BOOST_TEST(shown_block(R"({"type":"resource","resource":{"uri":"a:b","mimeType":"x/y","blob":""}})") ==
               "[resource a:b x/y]\n");
    BOOST_TEST(shown_block("{}") == "[content]\n");
    BOOST_TEST(shown_block(R"({"type":"resource","resource":1})") == "[resource]\n");
}

BOOST_AUTO_TEST_CASE(a_prompt_says_who_speaks)
{
    mcp::prompt_answer answer;
    answer.messages.push_back({mcp::role::user, block(R"({"type":"text","text":"a"})")});
    answer.messages.push_back({mcp::role::assistant, block(R"({"type":"audio","mimeType":"x/y"})")});
    BOOST_TEST(text_of(answer) == "user: a\nassistant: [audio x/y]\n");
}

BOOST_AUTO_TEST_CASE(a_resource_is_its_bytes_or_a_line_about_them)
{
    mcp::resource_answer answer;
    answer.parts.push_back({"a:b", "text/plain", "text", false, {}});
    answer.parts.push_back({"a:c", "x/y", std::string("\0\1", 2), true, {}});
    BOOST_TEST(call::bytes_of(answer) == std::string("text\0\1", 6));
    BOOST_TEST(text_of(answer) == "text\n[a:c x/y 2 bytes]\n");
}

BOOST_AUTO_TEST_SUITE_END()
