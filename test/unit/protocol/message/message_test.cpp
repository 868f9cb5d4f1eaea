#include "message_support.hpp"
#include "unit/protocol/exact_text.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline;
using test::exact_text;
using kind = message_type;

BOOST_AUTO_TEST_SUITE(message_)

BOOST_AUTO_TEST_CASE(a_request_is_taken_apart)
{
    message_reader reader{limits()};
    const exact_text text(R"( {"jsonrpc":"2.0","id":123,"method":"echo","params":{"message":"m"},"more":[1]} )");
    const message& read = reader.read(text);
    BOOST_TEST(read.type == kind::request);
    BOOST_TEST(read.id == "123");
    BOOST_TEST(read.id_key == "123");
    BOOST_TEST(read.method == "echo");
    BOOST_TEST(read.params.text() == R"({"message":"m"})");
    BOOST_TEST(read.problem.what == defect::kind::none);
}

// rule: jsonrpc.request.members
BOOST_AUTO_TEST_CASE(messages_are_told_apart)
{
    struct row {
        kind what;
        std::string text, id;
    };
    const std::vector<row> rows = {
        {kind::request, R"({"jsonrpc":"2.0","method":"m","id":1})", "1"},
        {kind::request, R"({"id":null,"params":[],"method":"","jsonrpc":"2.0"})", "null"},
        {kind::request, R"({ "jsonrpc" : "2.0" , "method" : "m" , "params" : null , "id" : 1 })", "1"},
        {kind::request, R"({"jsonrpc":"2\u002E0","m\u0065thod":"m","\u0069d":1})", "1"},
        {kind::request, R"({"jsonrpc":"2.0","method":"m","id":1,"x":1,"x":2,"ID":3,"Method":4,"":{}})", "1"},
        {kind::notification, R"({"jsonrpc":"2.0","method":"m"})", ""},
        {kind::notification, R"({"jsonrpc":"2.0","method":"m","params":{}})", ""},
        {kind::reply, R"({"jsonrpc":"2.0","id":1,"result":null})", "1"},
        {kind::reply, R"({"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"m"}})", R"("a")"},
        {kind::batch, R"([{"jsonrpc":"2.0","method":"m"}])", ""},
    };
    message_reader reader{limits()};
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            const exact_text text(r.text);
            const message& read = reader.read(text);
            BOOST_TEST(read.type == r.what);
            BOOST_TEST(read.id == r.id);
            BOOST_TEST(read.problem.what == defect::kind::none);
        }
}

// rule: jsonrpc.request.version, jsonrpc.request.method, jsonrpc.request.params, jsonrpc.request.members
// rule: jsonrpc.id.type
BOOST_AUTO_TEST_CASE(a_bad_envelope_is_told_why_and_keeps_a_readable_id)
{
    struct row {
        std::string text, id, reason;
    };
    const std::string not_2 = R"("jsonrpc" must be "2.0")", no_params = R"("params" must be an array or an object)";
    const std::string no_id = R"("id" must be a string, a number or null)", no_method = R"("method" must be a string)";
    const std::string mixed = R"("method" beside "result" or "error")", other = "expected an object or an array";
    const std::vector<row> rows = {
        {"{}", "", R"("jsonrpc" is missing)"},
        {R"({"foo":"boo"})", "", R"("jsonrpc" is missing)"},
        {R"({"method":"m","id":1})", "1", R"("jsonrpc" is missing)"},
        {R"({"jsonrpc":"1.0","method":"m","id":1})", "1", not_2},
        {R"({"jsonrpc":"2.00","method":"m","id":1})", "1", not_2},
        {R"({"jsonrpc":2.0,"method":"m","id":1})", "1", not_2},
        {R"({"jsonrpc":null,"method":"m","id":1})", "1", not_2},
        {R"({"JSONRPC":"2.0","method":"m","id":1})", "1", R"("jsonrpc" is missing)"},
        {R"({"jsonrpc":"2.0","id":1})", "1", R"("method" is missing)"},
        {R"({"jsonrpc":"2.0"})", "", R"("method" is missing)"},
        {R"({"jsonrpc":"2.0","method":1,"params":"bar"})", "", no_method},
        {R"({"jsonrpc":"2.0","method":null,"id":1})", "1", no_method},
        {R"({"jsonrpc":"2.0","method":["m"],"id":1})", "1", no_method},
        {R"({"jsonrpc":"2.0","method":"m","params":1,"id":1})", "1", no_params},
        {R"({"jsonrpc":"2.0","method":"m","params":"[]","id":1})", "1", no_params},
        {R"({"jsonrpc":"2.0","method":"m","params":true,"id":1})", "1", no_params},
        {R"({"jsonrpc":"2.0","method":"m","params":false})", "", no_params},
        {R"({"jsonrpc":"2.0","method":"m","id":true})", "", no_id},
        {R"({"jsonrpc":"2.0","method":"m","id":false})", "", no_id},
        {R"({"jsonrpc":"2.0","method":"m","id":[]})", "", no_id},
        {R"({"jsonrpc":"2.0","method":"m","id":{"a":1}})", "", no_id},
        {R"({"jsonrpc":"2.0","jsonrpc":"2.0","method":"m","id":1})", "1", R"(duplicate "jsonrpc")"},
        {R"({"jsonrpc":"2.0","method":"m","method":"m","id":1})", "1", R"(duplicate "method")"},
        {R"({"jsonrpc":"2.0","method":"m","m\u0065thod":"n","id":1})", "1", R"(duplicate "method")"},
        {R"({"jsonrpc":"2.0","method":"m","params":[],"params":[],"id":1})", "1", R"(duplicate "params")"},
        {R"({"jsonrpc":"2.0","method":"m","params":null,"params":[],"id":1})", "1", R"(duplicate "params")"},
        {R"({"jsonrpc":"2.0","method":"m","id":1,"id":1})", "", R"(duplicate "id")"},
        {R"({"jsonrpc":"2.0","method":"m","id":1,"\u0069d":2})", "", R"(duplicate "id")"},
        {R"({"jsonrpc":"2.0","id":1,"id":1,"id":1,"method":"m"})", "", R"(duplicate "id")"},
        {R"({"jsonrpc":"2.0","method":"m","id":1,"result":1})", "1", mixed},
        {R"({"jsonrpc":"2.0","method":"m","error":{}})", "", mixed},
        {R"({"jsonrpc":"2.0","method":1,"id":1,"result":1})", "1", no_method},
        {"1", "", other},
        {R"("text")", "", other},
        {" null ", "", other},
        {"true", "", other},
        {"[]", "", "empty batch"},
        {" [ ] ", "", "empty batch"},
    };
    message_reader reader{limits()};
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            const exact_text text(r.text);
            const message& read = reader.read(text);
            BOOST_TEST(read.type == kind::bad);
            BOOST_TEST(read.problem.what == defect::kind::invalid);
            BOOST_TEST(read.problem.reason == r.reason);
            BOOST_TEST(read.id == r.id);
            BOOST_TEST(read.id_key == r.id);
        }
}

BOOST_AUTO_TEST_CASE(what_looks_like_a_response_is_one_whatever_is_wrong_with_it)
{
    struct row {
        std::string text, id, reason;
    };
    const std::vector<row> rows = {
        {R"({"id":1,"result":1})", "1", R"("jsonrpc" is missing)"},
        {R"({"jsonrpc":"1.0","id":1,"result":1})", "1", R"("jsonrpc" must be "2.0")"},
        {R"({"jsonrpc":"2.0","result":1})", "", R"("id" is missing)"},
        {R"({"jsonrpc":"2.0","id":[],"result":1})", "", R"("id" must be a string, a number or null)"},
        {R"({"jsonrpc":"2.0","id":1,"id":2,"error":{}})", "", R"(duplicate "id")"},
        {R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})", "1", R"("result" beside "error")"},
        {R"({"jsonrpc":"2.0","id":1,"result":1,"result":2})", "1", R"(duplicate "result")"},
        {R"({"jsonrpc":"2.0","id":1,"error":1,"error":2})", "1", R"(duplicate "error")"},
        {R"({"jsonrpc":"2.0","id":1,"result":1,"params":2})", "1", R"("params" must be an array or an object)"},
        {R"({"r\u0065sult":{}})", "", R"("jsonrpc" is missing)"},
    };
    message_reader reader{limits()};
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            const exact_text text(r.text);
            const message& read = reader.read(text);
            BOOST_TEST(read.type == kind::reply);
            BOOST_TEST(read.id == r.id);
            BOOST_TEST(read.problem.reason == r.reason);
        }
}

BOOST_AUTO_TEST_CASE(what_is_not_json_and_looks_like_a_response_has_the_id_of_the_call)
{
    struct row {
        std::string text;
        std::string_view id;
        bool is_array;
        std::size_t offset;
    };
    const std::vector<row> rows = {
        {R"({"jsonrpc":"2.0","id":1,"error":nul})", "1", false, 35},
        {"{\"id\":\"a\",\"result\":\"\xFF\"}", R"("a")", false, 20},
        {"{\"result\":\"\x01\",\"id\":-5}", "-5", false, 11},
        {R"({"result":"\q","i\u0064":7,)", "7", false, 12},
        {R"({"result":1,"id":01})", "", false, 18},
        {R"([{"id":1,"result":1},{"id":2,"result":tru}])", "1", true, 41},
        {R"([{"result":1},{"id":2,"result":tru}])", "2", true, 34},
    };
    message_reader reader{limits()};
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            const exact_text text(r.text);
            const message& read = reader.read(text);
            BOOST_TEST(read.type == kind::reply);
            BOOST_TEST(read.problem.what == defect::kind::not_json);
            BOOST_TEST(read.problem.offset == r.offset);
            BOOST_TEST(read.id == r.id);
            BOOST_TEST(read.is_array == r.is_array);
            BOOST_TEST(reader.elements().empty());
        }
    BOOST_TEST(!reader.read(R"({"jsonrpc":"2.0","id":1,"result":1})").is_array);
}

BOOST_AUTO_TEST_CASE(what_is_not_json_is_told_the_offset_and_has_no_id)
{
    struct row {
        std::string text;
        std::size_t offset;
    };
    const std::vector<row> rows = {
        {"", 0},
        {"rubbish", 0},
        {R"({"id":1)", 7},
        {R"({"id":1,})", 8},
        {R"({"id":1}})", 8},
        {R"({"id":1} x)", 9},
        {R"({"id":01})", 7},
        {R"({id:1})", 1},
        {R"({"id" 1})", 6},
        {R"({"id":"a)", 8},
        {R"({"id":"\ud80"})", 7},
        {"{\"method\":\"\xFF\"}", 11},
        {"{\"id\":\"\xED\xA0\x80\"}", 7},
        {"{\"\xC0\x80\":1}", 2},
        {std::string("{\"id\":1}\0", 9), 8},
        {std::string("{\"id\":\"\0\"}", 10), 7},
        {"[", 1},
        {"[1", 2},
        {"[1,", 3},
        {"[1,]", 3},
        {"[1}", 2},
        {"[1]]", 3},
        {R"([{"a":1},{"a"])", 13},
        {R"({"params":[1,{"a":tru}]})", 21},
        {R"({"jsonrpc":"2.0)", 15},
        {R"({"method":"m\q"})", 13},
        {R"({"id":1,"method":"m","params":nul})", 33},
    };
    message_reader reader{limits()};
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            const exact_text text(r.text);
            const message& read = reader.read(text);
            BOOST_TEST(read.type == kind::bad);
            BOOST_TEST(read.problem.what == defect::kind::not_json);
            BOOST_TEST(read.problem.offset == r.offset);
            BOOST_TEST(read.id.empty());
            BOOST_TEST(reader.elements().empty());
        }
}

BOOST_AUTO_TEST_CASE(ids_keep_their_text_and_escaped_ones_have_a_decoded_key)
{
    struct row {
        std::string id, key;
    };
    const std::vector<row> rows = {
        {"1", "1"},
        {R"("1")", R"("1")"},
        {"1.0", "1.0"},
        {"0", "0"},
        {R"("")", R"("")"},
        {"-1", "-1"},
        {"null", "null"},
        {"9007199254740993", "9007199254740993"},
        {"1e0", "1e0"},
        {"-0", "-0"},
        {"1e400", "1e400"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {R"("null")", R"("null")"},
        {R"("\u0061")", R"("a")"},
        {R"("\"")", R"(""")"},
        {R"("a\nb")", "\"a\nb\""},
        {"\"\xC3\xA9\"", "\"\xC3\xA9\""},
        {R"("\u00e9")", "\"\xC3\xA9\""},
        {R"("\uD834\uDD1E and a text longer than a small string")",
         "\"\xF0\x9D\x84\x9E and a text longer than a small string\""},
    };
    message_reader reader{limits()};
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.id)
        {
            const exact_text text(R"({"id":)" + r.id + R"(,"jsonrpc":"2.0","m\u0065thod":"\u006d","params":[]})");
            const message& read = reader.read(text);
            BOOST_TEST(read.type == kind::request);
            BOOST_TEST(read.id == r.id);
            BOOST_TEST(read.id_key == r.key);
            BOOST_TEST(read.method == "m");
        }
}

BOOST_AUTO_TEST_SUITE_END()
