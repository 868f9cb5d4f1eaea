// What a host is owed by a server that messages are passed on to as they are.

#include "gateway/open_requests.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using gateway::open_requests;

namespace {

struct asking : open_requests {
    asking() : open_requests(partyline::limits()) {}
    std::string ask(const std::string& text)
    {
        partyline::frame come;
        come.text = text;
        return note_asked(come);
    }
};

std::string request(const std::string& id)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"x"})";
}
std::string reply(const std::string& id)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":1})";
}
std::string plain_cancel(const std::string& id)
{
    return R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":)" + id + "}}";
}
std::string mcp_cancel(const std::string& id)
{
    return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}";
}
std::string failure(const std::string& id)
{
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-32603,"message":"The server did not answer"}})";
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_open_requests)

BOOST_AUTO_TEST_CASE(are_those_without_a_reply)
{
    asking open;
    BOOST_TEST(open.ask(request("1")) == "");
    open.ask('[' + request("\"a\"") + ',' + request("2") + ']');
    open.note_answered(reply("1"));
    open.note_answered('[' + reply("\"\\u0061\"") + ']'); // the same id
    BOOST_TEST(!open.empty());
    BOOST_TEST(!open.are_cancelled());
    BOOST_TEST(open.take_failures() == std::vector{failure("2")}, boost::test_tools::per_element());
    BOOST_TEST(open.empty());
}

BOOST_AUTO_TEST_CASE(are_none_of_those_that_were_cancelled_as_in_mcp)
{
    asking open;
    open.ask(request("1"));
    open.ask(mcp_cancel("2"));
    open.ask(mcp_cancel("\"1\""));
    BOOST_TEST(!open.empty());
    open.ask(mcp_cancel("1"));
    BOOST_TEST(open.empty());
}

BOOST_AUTO_TEST_CASE(are_those_as_well_that_were_cancelled_as_in_plain_json_rpc)
{
    asking open;
    open.ask(request("1"));
    open.ask(request("2"));
    open.ask('[' + plain_cancel("1") + ']');
    open.ask(plain_cancel("7"));
    BOOST_TEST(!open.are_cancelled());
    open.note_answered(reply("2"));
    BOOST_TEST(open.are_cancelled());
    BOOST_TEST(!open.empty());
    BOOST_TEST(open.take_failures() == std::vector{failure("1")}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
