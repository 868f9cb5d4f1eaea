// Lists on their way back to a client that may not call everything.

#include "gateway/filtered_reply.hpp"
#include "limited_view.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using partyline::json_text;

namespace {

std::string seen(std::string_view method, const std::string& result)
{
    const partyline::test::limited_view by({"open", "file:///srv/"});
    return gateway::filtered_reply(by, method, json_text(result)).text();
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_filtered_reply)

BOOST_AUTO_TEST_CASE(hidden_entries_go_and_all_else_stays_as_it_came)
{
    BOOST_TEST(seen("tools/list", R"({"a" : 1.0,"tools" : [ {"name":"secret"}, {"x":1e2, "name" : "open_\u0061"} ,)"
                                  R"({"name":"admin_x"}], "nextCursor":"7","_meta":{"b":[]}})") ==
               R"({"a" : 1.0,"tools" : [{"x":1e2, "name" : "open_\u0061"},{"name":"admin_x"}], )"
               R"("nextCursor":"7","_meta":{"b":[]}})");
    BOOST_TEST(seen("prompts/list", R"({"prompts":[{"name":"open"},{"name":"secret"}]})") ==
               R"({"prompts":[{"name":"open"}]})");
    BOOST_TEST(seen("rpc.discover", R"({"openrpc":"1","methods":[{"name":"secret"},{"name":"open","params":[]}]})") ==
               R"({"openrpc":"1","methods":[{"name":"open","params":[]}]})");
}

BOOST_AUTO_TEST_CASE(a_list_without_hidden_entries_is_the_same_text)
{
    for (const char* const text : {R"({ "tools" : [ {"name":"open"} , {"name":"admin"} ] })", R"({"tools":[ ]})",
                                   R"({"tools":null})", R"({})", "null"})
        BOOST_TEST(seen("tools/list", text) == text);
    BOOST_TEST(seen("tools/call", R"({"tools":[{"name":"secret"}],"cacheScope":"public"})") ==
               R"({"tools":[{"name":"secret"}],"cacheScope":"public"})");
}

BOOST_AUTO_TEST_CASE(a_page_that_is_empty_then_stays_a_page)
{
    BOOST_TEST(seen("tools/list", R"({"tools":[{"name":"secret"}],"nextCursor":"next"})") ==
               R"({"tools":[],"nextCursor":"next"})");
}

BOOST_AUTO_TEST_CASE(resources_are_judged_by_what_their_uris_mean)
{
    BOOST_TEST(seen("resources/list", R"({"resources":[{"uri":"file:///srv/a"},{"uri":"file:///%73rv/b"},)"
                                      R"({"uri":"file:///etc/a"},{"uri":"file:///srv/../etc/a"}]})") ==
               R"({"resources":[{"uri":"file:///srv/a"},{"uri":"file:///%73rv/b"}]})");
    BOOST_TEST(seen("resources/templates/list", R"({"resourceTemplates":[{"uriTemplate":"file:///srv/{+a}"},)"
                                                R"({"uriTemplate":"file:///{a}"}]})") ==
               R"({"resourceTemplates":[{"uriTemplate":"file:///srv/{+a}"}]})");
}

BOOST_AUTO_TEST_CASE(an_entry_of_which_it_can_not_be_told_goes)
{
    BOOST_TEST(seen("tools/list", R"({"tools":[1,{},{"name":1},{"name":"open","name":"secret"},)"
                                  R"({"name":"secret","name":"open"},{"n\u0061me":"secret"},{"name":"\ud800"}]})") ==
               R"({"tools":[]})");
    BOOST_TEST(seen("tools/list", R"({"tools":[{"name":"secret"}],"t\u006fols":[{"name":"secret"}]})") ==
               R"({"tools":[],"t\u006fols":[]})");
}

BOOST_AUTO_TEST_CASE(a_list_of_another_form_is_empty)
{
    for (const char* const other : {R"({"secret":{}})", R"({"name":"secret"})", R"("secret")", "1", "true"})
        BOOST_TEST(seen("rpc.discover", R"({"info":{},"methods" : )" + std::string(other) + "}") ==
                   R"({"info":{},"methods" : []})");
    for (const char* const other : {R"(["secret"])", R"([{"name":"secret"}])", R"("secret")", "1"}) {
        BOOST_TEST(seen("rpc.discover", other) == R"({"methods":[]})");
        BOOST_TEST(seen("tools/list", other) == R"({"tools":[]})");
        BOOST_TEST(seen("resources/read", other) == other);
    }
}

BOOST_AUTO_TEST_CASE(what_a_limited_client_gets_is_cached_for_it_alone)
{
    BOOST_TEST(seen("tools/list", R"({"ttlMs":9,"cacheScope" : "public","tools":[{"name":"secret"}]})") ==
               R"({"ttlMs":9,"cacheScope" : "private","tools":[]})");
    BOOST_TEST(seen("resources/read", R"({"contents":[],"cacheScope":"public"})") ==
               R"({"contents":[],"cacheScope":"private"})");
}

BOOST_AUTO_TEST_SUITE_END()
