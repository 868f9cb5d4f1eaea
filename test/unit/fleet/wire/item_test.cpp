#include "fleet/wire/item.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>

using namespace partyline::fleet;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t max_bytes = 1'000;
constexpr std::string_view traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

item full_item()
{
    item one;
    one.id = {"F1", 7};
    one.until = std::chrono::system_clock::time_point(1'800'000'000'123ms);
    one.is_idempotent = true;
    one.peer = calling_peer{"alice \"x\"", "https://as.example.org", {"a", "b"}};
    one.traceparent = traceparent;
    one.message = "{\"jsonrpc\":\"2.0\"}\n\n";
    return one;
}

std::string refused(std::string_view payload)
{
    const auto read = read_item(payload, max_bytes);
    BOOST_TEST((!read || read.refused.empty()));
    return std::string(read.refused);
}

/// A line with these members beside those that have to be there.
std::string with(std::string_view more)
{
    return R"({"v":1,"id":"F1.7","reply":"pl.r.F1","until_ms":1)" + std::string(more) + "}\n{}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_item_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(an_item_is_a_line_and_the_message_to_the_byte)
{
    BOOST_TEST(write_item(full_item()) ==
               R"({"v":1,"id":"F1.7","reply":"pl.r.F1","until_ms":1800000000123,"idempotent":true,)"
               R"("peer":{"principal":"alice \"x\"","source":"https://as.example.org","scopes":["a","b"]},)"
               R"("traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})"
               "\n{\"jsonrpc\":\"2.0\"}\n\n");
}

BOOST_AUTO_TEST_CASE(what_was_written_is_read_as_it_was)
{
    const item one = full_item();
    const auto read = read_item(write_item(one), max_bytes);
    BOOST_TEST_REQUIRE(bool(read));
    BOOST_TEST((*read.value == one));
    item least;
    least.id = {"F1", 1};
    least.until = std::chrono::system_clock::time_point(1ms);
    least.message = std::string("\0\n", 2);
    const auto read_least = read_item(write_item(least), max_bytes);
    BOOST_TEST_REQUIRE(bool(read_least));
    BOOST_TEST((*read_least.value == least));
}

BOOST_AUTO_TEST_CASE(an_item_that_opens_a_session_has_no_message)
{
    for (const auto& [kind, name] :
         {std::pair(session_kind::session, "session"), std::pair(session_kind::requests, "requests")}) {
        item one = full_item();
        one.session = kind;
        BOOST_TEST(problem_of(one, max_bytes) == "a message where there is none, or none where there is one");
        one.message = {};
        const std::string payload = write_item(one);
        BOOST_TEST(payload.ends_with("\"session\":\"" + std::string(name) + "\"}\n"), payload);
        const auto read = read_item(payload, max_bytes);
        BOOST_TEST_REQUIRE(bool(read));
        BOOST_TEST((*read.value == one));
    }
    BOOST_TEST(refused(with(R"(,"session":"session")")) == "a message where there is none, or none where there is one");
}

BOOST_AUTO_TEST_CASE(replies_go_to_the_front_that_the_id_names)
{
    for (const std::string_view reply :
         {"pl.r.F2", "pl.r.F1.7", "pl.r.>", "$JS.API.STREAM.DELETE.PL_tools", "", "pl.q.x"}) {
        const std::string payload = R"({"v":1,"id":"F1.7","reply":")" + std::string(reply) + "\",\"until_ms\":1}\n{}";
        BOOST_TEST(refused(payload) == "a subject for replies that is not the front's");
    }
    BOOST_TEST(refused("{\"v\":1,\"id\":\"F1.7\",\"until_ms\":1}\n{}") ==
               "a subject for replies that is not the front's");
}

BOOST_AUTO_TEST_CASE(unknown_and_doubled_members_are_refused)
{
    BOOST_TEST(refused(with("")) == "");
    BOOST_TEST(refused(with(R"(,"x":1)")) == "a member that is not known");
    BOOST_TEST(refused(with(R"(,"id":"F1.7")")) == "a member that is there twice");
    BOOST_TEST(refused(with(R"(,"i\u0064":"F1.8")")) == "a member that is there twice");
    BOOST_TEST(refused(with(R"(,"peer":{"principal":"a","principal":"b"})")) == "a peer that is none");
    BOOST_TEST(refused(with(R"(,"peer":{"principal":"a","admin":true})")) == "a peer that is none");
}

BOOST_AUTO_TEST_CASE(names_have_no_line_feeds)
{
    BOOST_TEST(refused(with(R"(,"peer":{"principal":"a\nb"})")) == "a principal that is no plain text");
    BOOST_TEST(refused(with(R"(,"peer":{"principal":"a","source":"a\u0000"})")) == "a source that is no plain text");
    BOOST_TEST(refused(with(R"(,"peer":{"principal":"a","scopes":["a\n"]})")) ==
               "scopes that are no plain texts, or too many");
    BOOST_TEST(refused(with(R"(,"session":"a\r")")) == "a session that is none");
    BOOST_TEST(refused(with(R"(,"peer":{"principal":"\ud800"})")) != "");
    item one = full_item();
    one.peer->principal = "a\nb";
    BOOST_TEST(problem_of(one, max_bytes) == "a principal that is no plain text");
}

BOOST_AUTO_TEST_CASE(values_of_other_kinds_are_refused)
{
    for (const std::string_view more :
         {R"(,"peer":null)", R"(,"peer":{})", R"(,"peer":{"principal":""})", R"(,"peer":{"principal":1})",
          R"(,"peer":{"principal":"a","scopes":{}})", R"(,"peer":{"principal":"a","scopes":[1]})",
          R"(,"peer":{"principal":"a","scopes":[""]})", R"(,"peer":[])", R"(,"traceparent":"")",
          R"(,"traceparent":"x")", R"(,"traceparent":1)", R"(,"session":"")", R"(,"session":7)", R"(,"session":"S-1")",
          R"(,"idempotent":1)", R"(,"idempotent":null)"})
        BOOST_TEST(refused(with(more)) != "", more);
    for (const std::string_view head :
         {R"({"v":2,"id":"F1.7","reply":"pl.r.F1","until_ms":1})", R"({"id":"F1.7","reply":"pl.r.F1","until_ms":1})",
          R"({"v":"1","id":"F1.7","reply":"pl.r.F1","until_ms":1})", R"({"v":1,"id":7,"reply":"pl.r.F1","until_ms":1})",
          R"({"v":1.0,"id":"F1.7","reply":"pl.r.F1","until_ms":1})", R"({"v":1,"reply":"pl.r.F1","until_ms":1})",
          R"({"v":1,"id":"F1.7","reply":"pl.r.F1"})", R"({"v":1,"id":"F1.7","reply":"pl.r.F1","until_ms":-1})",
          R"({"v":1,"id":"F1.7","reply":"pl.r.F1","until_ms":1e3})",
          R"({"v":1,"id":"F1.7","reply":"pl.r.F1","until_ms":99999999999999})", "", " ", "[]", "{", "{}",
          R"( {"v":1,"id":"F1.7","reply":"pl.r.F1","until_ms":1})",
          R"({"v":1,"id":"F1.7","reply":"pl.r.F1","until_ms":1} )"})
        BOOST_TEST(refused(std::string(head) + "\n{}") != "", head);
}

BOOST_AUTO_TEST_CASE(sizes_are_bounded)
{
    item one = full_item();
    one.message = std::string(max_bytes, 'x');
    BOOST_TEST(refused(write_item(one)) == "");
    one.message += 'x';
    BOOST_TEST(refused(write_item(one)) == "a message that is too large");
    one.message = {};
    BOOST_TEST(refused(write_item(one)) == "a message where there is none, or none where there is one");
    BOOST_TEST(refused(R"({"v":1})") == "no line before the message");
    BOOST_TEST(refused(std::string(100'000, ' ') + "\n{}") == "no line before the message");
    one = full_item();
    one.peer->scopes.assign(256, "s");
    BOOST_TEST(refused(write_item(one)) == "");
    one.peer->scopes.emplace_back("s");
    BOOST_TEST(refused(write_item(one)) != "");
    const std::string nested(1'000, '[');
    BOOST_TEST(refused(with(",\"peer\":" + nested)) != "");
}

BOOST_AUTO_TEST_SUITE_END()
