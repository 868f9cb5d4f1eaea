// Escapes of a lone surrogate, which is what some languages write for a string that was cut within a character.

#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <partyline/protocol/json_text.hpp>

#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <map>

namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::error_code;

namespace {

struct name_and_others {
    std::string name;
    std::vector<std::string> others;
};
BOOST_DESCRIBE_STRUCT(name_and_others, (), (name, others))

std::string invalid_params(std::string_view id, std::string_view data)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
           R"(,"error":{"code":-32602,"message":"Invalid params","data":)" + std::string(data) + "}}";
}

struct methods_of_text : dialogue {
    methods_of_text()
    {
        methods.add("raw", [](partyline::json_view params) { return partyline::json_text(params); });
        methods.add("text", [](std::string text) { return text; }, {"text"});
        methods.add("value", [](json::value value) { return value; }, {"value"});
        methods.add("whole", [](name_and_others one) { return one.name; });
        methods.add("map", [](std::map<std::string, int> all) { return all.size(); }, {"all"});
        methods.add("number", [](int number) { return number; }, {"number"});
        methods.add_notification("note", [this](std::string) { ++notified; });
    }
    int notified = 0;
};

const std::string half_pair = R"("\ud83d")";

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_surrogates, methods_of_text, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(raw_text_with_a_lone_surrogate_is_passed_on_exactly)
{
    for (const std::string params :
         {R"(["\ud83d"])", R"(["\uDE00\ud83d\ud83d\ude00"])", R"({"\ud83d":"\ud83dx\\ud83d"})"}) {
        send(request("1", "raw", params));
        expect(result("1", params));
    }
}

BOOST_AUTO_TEST_CASE(where_a_value_must_be_made_the_params_are_refused_under_the_id)
{
    const std::string refused =
        R"("expected":"a string of whole characters","got":"a lone surrogate: \\ud83d","offset":)";
    send(request("1", "text", "[" + half_pair + "]"));
    expect(invalid_params("1", "{" + refused + R"(1,"parameter":"text"})"));
    send(request("2", "value", R"({"value":{"a":["x\ud83d"]}})"));
    expect(invalid_params("2", "{" + refused + R"(8,"parameter":"value"})"));
    send(request("3", "value", R"({"value":{"\ud83d":1}})"));
    expect(invalid_params("3", "{" + refused + R"(2,"parameter":"value"})"));
    send(request("4", "whole", R"({"name":"a","others":["b","\ud83d"]})"));
    expect(invalid_params("4", "{" + refused + R"(6,"parameter":"others"})"));
    send(request("5", "map", R"([{"\ud83d":1}])"));
    expect(invalid_params("5", "{" + refused + R"(2,"parameter":"all"})"));
    send(request("6", "number", R"({"number":1,"\ud83d":2})"));
    BOOST_TEST(receive().starts_with(R"({"jsonrpc":"2.0","id":6,"error":{"code":-32602)"));
    send(notification("note", "[" + half_pair + "]"));
    send(notification("note", "[\"whole\"]"));
    send(request("7", "text", R"(["\ud83d\ude00"])"));
    expect(result("7", "\"\xF0\x9F\x98\x80\""));
    BOOST_TEST(notified == 1);
}

BOOST_AUTO_TEST_CASE(an_id_with_a_lone_surrogate_is_echoed_and_differs_from_all_others)
{
    gate held(context);
    methods.add("wait", [&]() -> boost::asio::awaitable<int> {
        co_await held.wait();
        co_return 1;
    });
    const std::vector<std::string> ids = {R"("\ud83d")", R"("\ufffd")", R"("\ude00")", R"("\\ud83d")",
                                          R"("\ud83d\ude00")"};
    for (const std::string& id : ids)
        send(request(id, "wait"));
    send(request(R"("\uD83D")", "wait")); // the same as the first one
    expect(
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":{"reason":"a request with this id is in flight","id":"\"\\uD83D\""}}})");
    send(cancel(R"("\uD83D")"));
    expect(cancelled(R"("\ud83d")"));
    held.open();
    expect_in_any_order({result(ids[1], "1"), result(ids[2], "1"), result(ids[3], "1"), result(ids[4], "1")});
}

BOOST_AUTO_TEST_CASE(a_method_with_a_lone_surrogate_is_not_known)
{
    send(R"({"jsonrpc":"2.0","id":1,"method":"te\ud83dxt"})");
    const std::string reply = receive();
    BOOST_TEST(reply.starts_with(
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":{"method":"te)"));
    BOOST_TEST(reply.find("\xED\xA0\xBD") == std::string::npos);
    send(R"({"jsonrpc":"2.0","\ud83d":1,"id":2,"method":"raw","params":[]})");
    expect(result("2", "[]"));
}

BOOST_AUTO_TEST_CASE(a_batch_keeps_its_other_elements)
{
    send('[' + request("1", "text", "[" + half_pair + "]") + ',' + request("2", "raw", "[" + half_pair + "]") + ',' +
         request(half_pair, "number", "[3]") + ']');
    const std::string reply = receive();
    BOOST_TEST(reply.starts_with(R"([{"jsonrpc":"2.0","id":1,"error":{"code":-32602)"));
    BOOST_TEST(reply.ends_with(result("2", "[" + half_pair + "]") + ',' + result(half_pair, "3") + ']'));
}

BOOST_AUTO_TEST_CASE(a_result_with_bytes_of_a_lone_surrogate_is_never_sent)
{
    methods.add("bytes", [] { return std::string("\xED\xA0\xBD"); });
    send(request("1", "bytes"));
    BOOST_TEST(receive().starts_with(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603)"));
}

BOOST_AUTO_TEST_CASE(a_reply_is_taken_as_text_and_fails_its_call_where_it_must_be_a_value)
{
    outcome raw, typed, error;
    error_code failed;
    std::string details;
    server().call("a", nullptr)(raw.handler());
    server().call<std::string>("b", nullptr)([&](error_code why, partyline::call_result<std::string> got) {
        failed = why;
        details = got.details();
    });
    server().call("c", nullptr)(error.handler());
    for (int i = 0; i != 3; ++i)
        receive();
    send(result("1", "[" + half_pair + "]"));
    send(result("2", half_pair));
    send(R"({"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"\ud83d"}})");
    run_until([&] { return raw.is_there() && error.is_there() && failed; });
    BOOST_TEST(raw.text() == "result [" + half_pair + "]");
    BOOST_TEST(failed == error_code(errc::bad_reply));
    BOOST_TEST(details == R"(expected a string of whole characters, got a lone surrogate: \ud83d)");
    BOOST_TEST(error.text() == partyline::test::failed(errc::bad_reply));
    BOOST_TEST(error.said.details().find("a lone surrogate") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(by_an_option_each_half_is_read_as_the_replacement_character)
{
    options.lone_surrogates = partyline::lone_surrogates::replaced;
    const std::string replaced = "\"a\xEF\xBF\xBDz\"";
    send(request("1", "text", R"({"text":"a\ud83dz"})"));
    expect(result("1", replaced));
    send(request("2", "value", R"([{"\udc00":"a\uD83Dz\ud83d\ude00"}])"));
    expect(result("2", "{\"\xEF\xBF\xBD\":\"a\xEF\xBF\xBDz\xF0\x9F\x98\x80\"}"));
    send(request("3", "raw", R"(["\ud83d\\ud83d"])"));
    expect(result("3", R"(["\ufffd\\ud83d"])"));
    send(request(half_pair, "whole", R"({"name":"a\ud83dz","others":[]})")); // an id is what it was
    expect(result(half_pair, replaced));
    send('[' + request("4", "text", R"(["a\ud83dz"])") + ']');
    expect('[' + result("4", replaced) + ']');
    outcome o;
    server().call("a", nullptr)(o.handler());
    receive();
    send(result("1", half_pair));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == R"(result "\ufffd")");
}

BOOST_AUTO_TEST_SUITE_END()
