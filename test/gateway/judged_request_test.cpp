// What a request names, and whether it may be forwarded.

#include "gateway/judged_request.hpp"
#include "gateway/message_parts.hpp"
#include "limited_view.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

using gateway::judge_target;
using partyline::access_answer;
using partyline::json_text;
using partyline::json_view;
using partyline::rpc_error;

namespace {

const partyline::test::limited_view view({"open", "file:///srv/"});

std::string forwarded(std::string_view method, const std::string& params)
{
    return gateway::judged_params(view, method, json_text(params)).text();
}

// The code and the message that it is refused with.
std::string refusal(std::string_view method, const std::string& params)
{
    try {
        return "forwarded: " + forwarded(method, params);
    } catch (const rpc_error& e) {
        return std::to_string(e.error().code) + ' ' + e.error().message;
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_judged_request)

BOOST_AUTO_TEST_CASE(what_is_allowed_is_forwarded_as_it_came)
{
    BOOST_TEST(forwarded("tools/call", R"({ "name" : "open_\u0061","arguments":{"name":"x","Name":1.0}})") ==
               R"({ "name" : "open_\u0061","arguments":{"name":"x","Name":1.0}})");
    BOOST_TEST(forwarded("resources/read", R"({"uri":"file:///srv/a%20b?x=1"})") ==
               R"({"uri":"file:///srv/a%20b?x=1"})");
    BOOST_TEST(forwarded("anything", "[1]") == "[1]");
}

BOOST_AUTO_TEST_CASE(params_that_two_readers_could_take_for_two_things_are_refused)
{
    for (const char* const params :
         {R"({"name":"open","name":"secret"})", R"({"name":"secret","name":"open"})",
          R"({"name":"open","NAME":"secret"})", R"({"Name":"secret"})", R"({"name":"open","n\u0041me":"secret"})",
          R"({"name":1})", R"({"name":"\ud800"})", "{}", "", R"(["secret"])"})
        BOOST_TEST(refusal("tools/call", params).starts_with("-32602 Invalid params"), params);
    BOOST_TEST(refusal("resources/read", R"({"uri":"file:///srv/a","URI":"file:///etc/a"})").starts_with("-32602"));
    BOOST_TEST(refusal("subscriptions/listen", R"({"notifications":{},"notification\u017f":{}})")
                   .starts_with("-32602 Invalid params"));
}

BOOST_AUTO_TEST_CASE(a_uri_that_a_server_may_read_as_another_one_names_nothing)
{
    for (const char* const uri :
         {"file:///srv/../etc/passwd", "file:///srv/..", "file:///srv/./a", "file:///srv/%2e%2e/etc/passwd",
          "file:///srv/.%2E/etc/passwd", "file:///srv/..%2fetc", "file:///srv/..\\\\etc", "file:///srv/a/..?b",
          "file:///srv/.\\t./etc/passwd", "file:///srv/a\\u0000", "file:///srv/a ", " file:///srv/a",
          "file:///srv/%2e%2e/%zz", "file:///srv/a%"}) {
        BOOST_TEST(refusal("resources/read", R"({"uri":")" + std::string(uri) + "\"}") == "-32002 Resource not found",
                   uri);
    }
    for (const char* const uri : {"file:///srv/..a/b..", "file:///srv/a.b/...", "file:///srv/a b", "file:///srv/"})
        BOOST_TEST((judge_target(view, "resources/read", uri).is == access_answer::allowed), uri);
    BOOST_TEST((judge_target(view, "tools/call", "open/../x").is == access_answer::allowed)); // which is no URI
}

BOOST_AUTO_TEST_CASE(an_unknown_target_is_answered_as_servers_of_ours_do)
{
    const auto unknown = [](std::string_view method, const std::string& params) {
        const partyline::error_object told = gateway::unknown_target(method, json_view::checked(params));
        return std::to_string(told.code) + ' ' + told.message + (told.data ? ' ' + serialize(*told.data) : "");
    };
    BOOST_TEST(unknown("tools/call", R"({"name":"a\n"})") == R"(-32602 Unknown tool: a\u000a)");
    BOOST_TEST(unknown("prompts/get", R"({"name":"a"})") == "-32602 Unknown prompt: a");
    BOOST_TEST(unknown("resources/read", R"({"uri":"a:b"})") == R"(-32002 Resource not found {"uri":"a:b"})");
    BOOST_TEST(unknown("resources/read", R"({"uri":"a:b","_meta":{"io.modelcontextprotocol/protocolVersion":"x"}})") ==
               R"(-32602 Resource not found {"uri":"a:b"})");
    BOOST_TEST(unknown("tools/call", "[]") == R"(-32602 Invalid params {"parameter":"name","expected":"string"})");
}

BOOST_AUTO_TEST_CASE(completions_are_judged_by_what_they_are_for)
{
    const auto complete = [](const std::string& ref) {
        return refusal("completion/complete", R"({"ref":)" + ref + R"(,"argument":{"name":"a","value":""}})");
    };
    BOOST_TEST(complete(R"({"type":"ref/prompt","name":"open"})").starts_with("forwarded"));
    BOOST_TEST(complete(R"({"type":"ref/resource","uri":"file:///srv/{a}"})").starts_with("forwarded"));
    for (const char* const ref :
         {R"({"type":"ref/prompt","name":"secret"})", R"({"type":"ref/resource","uri":"file:///etc/{a}"})",
          R"({"type":"ref/prompt","name":"open","uri":"file:///etc/{a}"})", R"(["ref/prompt","secret"])", "1",
          R"({"type":"ref/resource","uri":"file:///srv/{a}","Uri":"file:///etc/{a}"})"})
        BOOST_TEST(complete(ref) == "-32602 Invalid params", ref);
    BOOST_TEST(complete(R"({"type":"ref/prompt","name":"admin"})") == "-31003 Insufficient scope");
}

BOOST_AUTO_TEST_CASE(subscriptions_are_judged_as_reading_is)
{
    for (const char* const method : {"resources/subscribe", "resources/unsubscribe"}) {
        BOOST_TEST(refusal(method, R"({"uri":"file:///srv/a"})").starts_with("forwarded"));
        BOOST_TEST(refusal(method, R"({"uri":"file:///etc/a"})") == "-32002 Resource not found");
        BOOST_TEST(refusal(method, R"({"uri":"admin:a"})") == "-31003 Insufficient scope");
    }
}

BOOST_AUTO_TEST_CASE(what_names_nothing_is_the_servers_to_answer_and_nothing_is_named_by_its_place)
{
    for (const char* const method :
         {"resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "completion/complete"}) {
        BOOST_TEST(forwarded(method, "") == "");
        BOOST_TEST(forwarded(method, R"({"_meta":{}})") == R"({"_meta":{}})");
        BOOST_TEST(refusal(method, R"(["file:///etc/a"])") == "-32602 Invalid params");
    }
    BOOST_TEST(forwarded("completion/complete", R"({"ref":{"type":"x"}})") == R"({"ref":{"type":"x"}})");
    BOOST_TEST(refusal("subscriptions/listen", R"({"notifications":[true,["file:///etc/a"]]})") ==
               "-32602 Invalid params");
}

BOOST_AUTO_TEST_CASE(hidden_resources_are_taken_out_of_a_subscription)
{
    const auto listen = [](const std::string& uris) {
        return refusal("subscriptions/listen", R"({"notifications":{"resourceSubscriptions": )" + uris + "}, \"a\":1}");
    };
    const std::string begin = R"(forwarded: {"notifications":{"resourceSubscriptions": )";
    BOOST_TEST(listen(R"([ "file:///srv/a" ])") == begin + R"([ "file:///srv/a" ]}, "a":1})");
    BOOST_TEST(listen(R"(["file:///etc/a","file:///srv/\u0061" , "x","file:///srv/b"])") ==
               begin + R"(["file:///srv/\u0061","file:///srv/b"]}, "a":1})");
    BOOST_TEST(listen(R"(["x"])") == begin + R"([]}, "a":1})");
    BOOST_TEST(listen(R"(["file:///srv/a","admin:a"])") == "-31003 Insufficient scope");
    BOOST_TEST(listen("[1]") == "-32602 Invalid params");
    BOOST_TEST(listen("1") == "-32602 Invalid params");
    BOOST_TEST(forwarded("subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})") ==
               R"({"notifications":{"toolsListChanged":true}})");
}

BOOST_AUTO_TEST_CASE(a_name_may_be_read_as_another_one_where_case_does_not_count)
{
    for (const char* const name : {"task", "TASK", "tA\xC5\xBFk", "tas\xE2\x84\xAA"})
        BOOST_TEST(gateway::may_be_read_as(name, "tasK"), name);
    for (const char* const name : {"", "tas", "tasks", "ta\xC5k", "t\xE2\x84\xAAsk"})
        BOOST_TEST(!gateway::may_be_read_as(name, "task"), name);
}

BOOST_AUTO_TEST_SUITE_END()
