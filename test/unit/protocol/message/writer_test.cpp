#include <partyline/protocol/writer.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline;
namespace json = boost::json;

namespace {

json_view view(std::string_view text)
{
    return json_view::checked(text);
}

std::string error_text(std::string_view id, const error_object& error)
{
    byte_buffer out;
    write_error(out, id, error, 8);
    return std::string(out.view());
}

} // namespace

BOOST_AUTO_TEST_SUITE(writer)

// rule: jsonrpc.request.version, jsonrpc.notification.no_id, jsonrpc.response.version, jsonrpc.response.result
// rule: jsonrpc.response.error
BOOST_AUTO_TEST_CASE(messages_are_written_in_one_shape)
{
    byte_buffer out;
    const auto written = [&] {
        const std::string text(out.view());
        out.clear();
        return text;
    };
    write_reply(out, R"("a")", view("[1]"));
    BOOST_TEST(written() == R"({"jsonrpc":"2.0","id":"a","result":[1]})");
    write_reply(out, "1", {});
    BOOST_TEST(written() == R"({"jsonrpc":"2.0","id":1,"result":null})");
    write_request(out, "1", "m");
    BOOST_TEST(written() == R"({"jsonrpc":"2.0","id":1,"method":"m"})");
    write_request(out, "1", "m\"\n", view("{}"));
    BOOST_TEST(written() == R"({"jsonrpc":"2.0","id":1,"method":"m\"\n","params":{}})");
    write_notification(out, "n");
    BOOST_TEST(written() == R"({"jsonrpc":"2.0","method":"n"})");
    write_notification(out, "n", view("[\n1\r\n]"));
    BOOST_TEST(written() == R"({"jsonrpc":"2.0","method":"n","params":[ 1  ]})");
    write_reply_head(out, "1.0");
    write_value(out, {{"x", 1}}, 8);
    write_tail(out);
    BOOST_TEST(written() == R"({"jsonrpc":"2.0","id":1.0,"result":{"x":1}})");
}

// rule: jsonrpc.response.version, jsonrpc.response.result, jsonrpc.response.error, jsonrpc.response.unknown_id
// rule: jsonrpc.error.code, jsonrpc.error.message
BOOST_AUTO_TEST_CASE(errors_are_written_with_data_only_when_there_is_some)
{
    BOOST_TEST(error_text("1", {-32601, "Method not found", {}}) ==
               R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}})");
    BOOST_TEST(error_text("", {-32700, "Parse error", json::value{{"offset", 7}}}) ==
               R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{"offset":7}}})");
    BOOST_TEST(error_text("null", {1, "\xFF\"", json::value(nullptr)}) ==
               R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":")"
               "\xEF\xBF\xBD"
               R"(\"","data":null}})");
    BOOST_TEST(error_text("1", {1, "m", json::value{{"a", "fine"}, {"b", "\xFF"}}}) ==
               R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}})");
}

// rule: mcp.stdio.line
BOOST_AUTO_TEST_CASE(raw_text_is_checked_unless_it_came_in_a_message)
{
    struct row {
        std::string text, written, where, reason;
    };
    const std::vector<row> rows = {
        {R"({"a":[1,"\n"]})", R"({"a":[1,"\n"]})", "", ""},
        {" [1,\r\n\t2]\n", " [1,  \t2] ", "", ""},
        {"1e400", "1e400", "", ""},
        {"", "", "byte 0", "not JSON"},
        {"{\"a\":}", "", "byte 5", "not JSON"},
        {"1 2", "", "byte 2", "not JSON"},
        {"\"\xFF\"", "", "byte 1", "not JSON"},
        {std::string("1\0", 2), "", "byte 1", "not JSON"},
        {"[[[]]]", "", "byte 2", "nested deeper than 2"},
    };
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            byte_buffer out;
            out.append("before ");
            const auto failure = write_text(out, json_text(r.text), 2);
            BOOST_TEST(out.view() == "before " + r.written);
            BOOST_TEST(failure.has_value() == !r.reason.empty());
            BOOST_TEST((failure ? failure->where : "") == r.where);
            BOOST_TEST((failure ? failure->reason : "") == r.reason);
        }
    byte_buffer out;
    BOOST_TEST(!write_text(out, json_text(view("[[[[\n]]]]")), 2));
    BOOST_TEST(!write_text(out, json_text(json_view()), 2));
    BOOST_TEST(out.view() == "[[[[ ]]]]null");
}

BOOST_AUTO_TEST_CASE(messages_are_joined_to_a_batch)
{
    byte_buffer out;
    batch_writer batch(out);
    BOOST_TEST(batch.empty());
    for (const std::string_view element : {"1", "2", "3"}) {
        batch.begin_element();
        out.append(element);
    }
    batch.end();
    BOOST_TEST(!batch.empty());
    BOOST_TEST(out.view() == "[1,2,3]");
}

BOOST_AUTO_TEST_CASE(an_empty_batch_is_nothing)
{
    byte_buffer out;
    batch_writer(out).end();
    BOOST_TEST(out.empty());
}

BOOST_AUTO_TEST_SUITE_END()
