#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <utility>

#include <call/output/exit_status.hpp>
#include <call/output/reply_text.hpp>

using call::exit_status;
using partyline::error_object;

BOOST_AUTO_TEST_SUITE(replies)

BOOST_AUTO_TEST_CASE(a_line_is_the_whole_reply_under_its_label)
{
    BOOST_TEST(call::result_line("\"a\"", partyline::json_text("[1.0]")) ==
               R"({"jsonrpc":"2.0","id":"a","result":[1.0]})");
    BOOST_TEST(call::error_line("3", {-32601, "Method not found", std::nullopt}) ==
               R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}})");
    BOOST_TEST(call::error_line("3", {1, "m", boost::json::value(nullptr)}) ==
               R"({"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"m","data":null}})");
}

BOOST_AUTO_TEST_CASE(an_error_is_told_in_words_with_its_data)
{
    BOOST_TEST(call::error_words({-32602, "Invalid params", std::nullopt}, "x") == "error -32602: Invalid params");
    BOOST_TEST(call::error_words({-1, "no", boost::json::value{{"a", 1}}}, "x") == R"(error -1: no: {"a":1})");
    BOOST_TEST(call::error_words({7, "two\nlines", std::nullopt}, "x") == R"(error 7: two\u000alines)");
}

BOOST_AUTO_TEST_CASE(a_long_error_is_cut_between_characters)
{
    std::string message;
    for (int i = 0; i < 50'000; ++i)
        message += "ä";
    const std::string words = call::error_words({1, message, std::nullopt}, "x");
    BOOST_TEST(words == "error 1: " + message.substr(0, 4086) + "...");
    BOOST_TEST(call::error_words({1, "m", boost::json::value(message)}, "x").size() < 4100u);
}

BOOST_AUTO_TEST_CASE(a_method_that_is_not_found_is_named_once)
{
    const auto words_for = [](std::optional<boost::json::value> data) {
        return call::error_words({-32601, "Method not found", std::move(data)}, "frob\"nicate\x1b");
    };
    const std::string named = R"(error -32601: Method not found: "frob\"nicate\u001b")";
    BOOST_TEST(words_for(std::nullopt) == named);
    BOOST_TEST(words_for(boost::json::value{{"method", "frob\"nicate\x1b"}}) == named);
    BOOST_TEST(words_for(boost::json::value{{"method", "other"}}) == named + R"(: {"method":"other"})");
    BOOST_TEST(words_for(boost::json::value("try help")) == named + R"(: "try help")");
}

BOOST_AUTO_TEST_CASE(of_several_troubles_the_worst_is_the_exit_code)
{
    exit_status all;
    BOOST_TEST(all.exit_code() == 0);
    all.note(exit_status::error_reply);
    BOOST_TEST(all.exit_code() == 1);
    all.note(exit_status::no_reply);
    all.note(exit_status::wrong_usage);
    all.note(exit_status::all_answered);
    BOOST_TEST(all.exit_code() == 3);
    all.note_signal(2);
    BOOST_TEST(all.exit_code() == 130);
}

BOOST_AUTO_TEST_SUITE_END()
