#include "support/dialogue.hpp"
#include "support/name_families.hpp"
#include "support/outcome.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>

namespace json = boost::json;
using namespace partyline::test;
using partyline::call_options;
using partyline::errc;

// Objects whose names collide in Boost.JSON's table, in every place where a value is built from what the peer sent.

namespace {

const std::string colliding = object_of(colliding_names(1024, 0x10, 1024));
const std::string refusal =
    R"("error":{"code":-32602,"message":"Invalid params","data":{"expected":"an object whose names do not collide",)"
    R"("got":"1024 members whose names do")";

struct fixture : dialogue {
    fixture()
    {
        methods.add("value", [](json::value v) { return v.is_object(); });
        methods.add("size", [](partyline::json_text raw) { return raw.text().size(); });
        methods.add("map", [](const std::map<std::string, int>& map) { return map.size(); }, {"map"});
    }
};

std::string answer(std::string_view id, std::string_view rest)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + ',' + std::string(rest) + '}';
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_collisions, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(params_that_collide_are_invalid)
{
    send(request("1", "value", colliding));
    expect(answer("1", refusal + "}}"));
    send(request("2", "map", R"({"map":)" + colliding + '}'));
    expect(answer("2", refusal + R"(,"parameter":"map"}})"));
    send(request("3", "value", "{}"));
    expect(result("3", "true"));
}

BOOST_AUTO_TEST_CASE(the_rest_of_a_batch_is_answered)
{
    send('[' + request("1", "value", colliding) + ',' + request("2", "value", "{}") + ']');
    expect('[' + answer("1", refusal + "}}") + ',' + result("2", "true") + ']');
}

BOOST_AUTO_TEST_CASE(who_takes_text_gets_it)
{
    send(request("1", "size", colliding));
    expect(result("1", std::to_string(colliding.size())));
}

BOOST_AUTO_TEST_CASE(a_reply_that_collides_is_bad)
{
    std::optional<partyline::error_code> code;
    outcome error;
    server().call<json::value>("a", nullptr)([&](partyline::error_code failed, const auto&) { code = failed; });
    server().call("b", nullptr)(error.handler());
    receive();
    receive();
    send(result("1", colliding));
    send(R"({"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"","data":)" + colliding + "}}");
    run_until([&] { return code && error.is_there(); });
    BOOST_TEST((*code == errc::bad_reply));
    BOOST_TEST(error.text() == failed(errc::bad_reply));
}

BOOST_AUTO_TEST_CASE(progress_that_collides_is_logged)
{
    outcome o;
    call_options how;
    how.on_progress([](json::value) {});
    server().call("a", nullptr, std::move(how))(o.handler());
    receive();
    send(notification("$/progress", R"({"token":1,"value":)" + colliding + '}'));
    send(result("1", "7"));
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.text() == "result 7");
    BOOST_TEST(logged.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
