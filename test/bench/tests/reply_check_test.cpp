#include "bench/driver/reply_check.hpp"
#include "bench/driver/wire.hpp"

#include <boost/test/unit_test.hpp>

using namespace bench;

namespace {

struct two_requests {
    two_requests() : random(1), requests({.method = "echo", .fill = text_of(16), .count = 2}, random) {}

    std::string id(std::size_t index) const { return std::to_string(requests.ids()[index]); }
    std::string result(std::size_t index) const { return std::string(requests.result(index)); }
    std::string reply(std::size_t index) const
    {
        return R"({"jsonrpc":"2.0","id":)" + id(index) + R"(,"result":)" + result(index) + "}";
    }

    random_source random;
    request_set requests;
};

// What is said of `messages`; nothing when they are right.
std::string complaint(const two_requests& asked, const std::vector<std::string>& messages,
                      std::optional<int> code = std::nullopt)
{
    reply_check check(asked.requests, code);
    try {
        for (const std::string& message : messages)
            check.note(message);
        check.finish();
        return "";
    } catch (const failure& failed) {
        return failed.what();
    }
}

bool begins(const std::string& text, const std::string& with)
{
    BOOST_TEST_INFO(text);
    return text.starts_with(with);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(reply_checks, two_requests)

BOOST_AUTO_TEST_CASE(right_replies_may_come_in_any_order_and_be_written_in_any_way)
{
    BOOST_TEST(complaint(*this, {reply(0), reply(1)}) == "");
    BOOST_TEST(complaint(*this, {reply(1), reply(0)}) == "");
    const std::string other_order = R"({"result":)" + result(0) + R"(,"id":)" + id(0) + R"(,"jsonrpc":"2.0"})";
    const std::string spaced = R"({ "jsonrpc": "2.0", "id": )" + id(1) + R"(, "result": )" + result(1) + "}\r";
    BOOST_TEST(complaint(*this, {other_order, spaced}) == "");
    BOOST_TEST(complaint(*this, {"[" + reply(1) + "," + reply(0) + "]"}) == "");
}

BOOST_AUTO_TEST_CASE(an_unanswered_request_is_named)
{
    BOOST_TEST(complaint(*this, {reply(0)}) == "request " + id(1) + " was not answered");
}

BOOST_AUTO_TEST_CASE(a_second_answer_is_named)
{
    BOOST_TEST(complaint(*this, {reply(0), reply(0)}) == "request " + id(0) + " was answered twice");
    BOOST_TEST(complaint(*this, {reply(0), "[" + reply(0) + "]"}) == "request " + id(0) + " was answered twice");
}

BOOST_AUTO_TEST_CASE(a_wrong_result_is_shown_with_the_right_one)
{
    const std::string swapped = R"({"jsonrpc":"2.0","id":)" + id(0) + R"(,"result":)" + result(1) + "}";
    BOOST_TEST(complaint(*this, {swapped}) ==
               "request " + id(0) + " was answered wrongly: '" + result(1) + "', expected '" + result(0) + "'");
}

BOOST_AUTO_TEST_CASE(a_result_with_something_behind_it_is_not_the_result)
{
    const std::string more = reply(0).substr(0, reply(0).size() - 2) + R"(,"more":1}})";
    BOOST_TEST(begins(complaint(*this, {more}), "request " + id(0) + " was answered wrongly"));
}

BOOST_AUTO_TEST_CASE(an_error_in_place_of_the_result_is_shown)
{
    const std::string error = R"({"jsonrpc":"2.0","id":)" + id(0) + R"(,"error":{"code":-31001,"message":"busy"}})";
    BOOST_TEST(complaint(*this, {error}) ==
               "request " + id(0) + R"( was answered with an error: '{"code":-31001,"message":"busy"}')");
}

BOOST_AUTO_TEST_CASE(where_an_error_is_expected_it_has_to_be_that_one)
{
    const auto error = [this](std::size_t index, int code) {
        return R"({"jsonrpc":"2.0","id":)" + id(index) + R"(,"error":{"code":)" + std::to_string(code) +
               R"(,"message":"Request cancelled"}})";
    };
    BOOST_TEST(complaint(*this, {error(0, -32800), error(1, -32800)}, -32800) == "");
    BOOST_TEST(begins(complaint(*this, {error(0, -32603)}, -32800), "request " + id(0) + " was answered wrongly"));
    BOOST_TEST(begins(complaint(*this, {reply(0)}, -32800), "request " + id(0) + " was answered wrongly"));
}

BOOST_AUTO_TEST_CASE(an_answer_to_nothing_is_a_failure)
{
    BOOST_TEST(complaint(*this, {R"({"jsonrpc":"2.0","id":999999999,"result":1})"}) ==
               "answered request 999999999, which nobody has sent");
}

BOOST_AUTO_TEST_CASE(what_is_no_reply_is_shown)
{
    BOOST_TEST(complaint(*this, {"Hello, world"}) == "said something that is not JSON: 'Hello, world'");
    BOOST_TEST(complaint(*this, {""}) == "said something that is not JSON: ''");
    BOOST_TEST(complaint(*this, {reply(0) + "x"}) == "said something that is not JSON: '" + reply(0) + "x'");
    for (const std::string& message :
         {std::string("17"), std::string("[17]"), R"({"id":)" + id(0) + R"(,"result":)" + result(0) + "}",
          R"({"jsonrpc":"2.0","id":)" + id(0) + "}", std::string(R"({"jsonrpc":"2.0","method":"note"})"),
          R"({"jsonrpc":"2.0","id":)" + id(0) + R"(,"result":1,"error":{}})",
          R"({"jsonrpc":"2.0","method":"echo","id":)" + id(0) + R"(,"result":)" + result(0) + "}"})
        BOOST_TEST(begins(complaint(*this, {message}), "said something that is no reply: "), message);
}

BOOST_AUTO_TEST_CASE(ids_have_to_be_the_numbers_that_were_sent)
{
    for (const std::string other : {"null", "-5", "1.5", "\"7\"", "[]"})
        BOOST_TEST(begins(complaint(*this, {R"({"jsonrpc":"2.0","id":)" + other + R"(,"result":1})"}),
                          "sent a reply without the id of a request"),
                   other);
}

BOOST_AUTO_TEST_CASE(cat_has_to_give_back_the_requests_as_they_were)
{
    inbox same(framing::ndjson);
    same.append(requests.text());
    BOOST_CHECK_NO_THROW(check_same(requests, same, true));
    inbox swapped(framing::ndjson);
    swapped.append(std::string(requests.body(1)) + '\n' + std::string(requests.body(0)) + '\n');
    BOOST_CHECK_THROW(check_same(requests, swapped, true), failure);
    BOOST_CHECK_NO_THROW(check_same(requests, swapped, false));
    swapped.append("{}\n");
    BOOST_CHECK_THROW(check_same(requests, swapped, false), failure);
}

BOOST_AUTO_TEST_SUITE_END()
