// The benchmark's server: what it measures has to be right first.

#include "support/requests.hpp"
#include "support/server_process.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

using namespace partyline::test;

namespace {

struct measured_server : server_process {
    explicit measured_server(std::vector<std::string> options = {})
        : server_process(PARTYLINE_BENCH_SERVER, std::move(options))
    {
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(bench_server, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(every_way_to_echo_returns_its_params)
{
    measured_server s;
    for (const char* method : {"echo_plain", "echo", "echo_awaitable", "echo_raw", "echo_timer", "echo_post"}) {
        for (const char* params : {"[]", R"({"a":[1,null,{"b":"\"\u20ac"}]})", R"(["0123456789abcd"])"}) {
            BOOST_TEST_CONTEXT(method << ' ' << params)
            {
                s.send_request(method, params);
                const boost::json::object reply = s.read_message();
                BOOST_TEST(reply.at("result") == boost::json::parse(params));
            }
        }
    }
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(typed_methods_return_what_they_were_given)
{
    measured_server s;
    s.send_request("add", R"({"a":-2147483648,"b":-1})");
    s.expect_result("-2147483649");
    const char* thing = R"({"name":"box","tags":["a","b"],"size":{"w":3,"h":-4}})";
    s.send_request("describe", thing);
    s.expect_result(thing);
    s.send_request("echo_typed", R"({"text":"x"})");
    s.expect_result(R"({"text":"x"})");
    s.send_request("describe", R"({"name":"box","tags":["a",2],"size":{"w":3,"h":4}})");
    BOOST_TEST(s.expect_error("1", -32602).at("parameter").as_string() == "tags[1]");
}

BOOST_AUTO_TEST_CASE(a_delay_returns_its_params_as_they_are)
{
    measured_server s;
    s.send_request("delay", R"({"ms":1,"text":"x"})");
    s.expect_result(R"({"ms":1,"text":"x"})");
    for (const char* params : {"{}", R"({"ms":-1,"text":""})", R"({"ms":"1","text":""})", "[1]"}) {
        s.send_request("delay", params);
        s.expect_error("1", -32602);
    }
}

BOOST_AUTO_TEST_CASE(work_is_the_same_on_the_pool_and_inline)
{
    measured_server s;
    for (const char* method : {"work", "work_inline"}) {
        s.send_request(method, R"({"rounds":0,"seed":0})");
        s.expect_result(R"("11400714819323198485")");
        s.send_request(method, R"({"rounds":1000,"seed":7})");
        s.expect_result(R"("3528296872982026289")");
    }
}

BOOST_AUTO_TEST_CASE(progress_and_notifications_come_one_by_one_before_the_result)
{
    measured_server s;
    s.send_request("progress", R"({"count":2,"workDoneToken":"t"})");
    s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":1}})");
    s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":2}})");
    s.expect_result(R"({"count":2})");
    s.send_request("notify", R"({"count":2})");
    s.expect(R"({"jsonrpc":"2.0","method":"note","params":[1]})");
    s.expect(R"({"jsonrpc":"2.0","method":"note","params":[2]})");
    s.expect_result(R"({"count":2})");
}

BOOST_AUTO_TEST_CASE(what_is_held_ends_when_it_is_cancelled)
{
    measured_server s;
    for (const char* method : {"hold", "hold_throwing", "hold_dropped"}) {
        BOOST_TEST_CONTEXT(method)
        {
            s.send_request(method, "[]");
            s.expect_silence();
            s.send_bytes(cancel_of(1));
            s.expect_error("1", -32800);
        }
    }
    s.send_request("hold_returning", "[]");
    s.expect_silence();
    s.send_bytes(cancel_of(1));
    s.expect_result("true");
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(it_takes_the_limits_of_the_sample_server)
{
    measured_server s({"--max-in-flight", "1", "--max-waiting", "0"});
    s.send_bytes(request(1, "hold", "[]") + request(2, "echo", "[]"));
    s.expect_error("2", -31001);
    measured_server misused({"--max-in-flight", "0"});
    misused.expect_end(2);
}

BOOST_AUTO_TEST_SUITE_END()
