#include "http/wire/media.hpp"
#include "made_head.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>
#include <vector>

namespace http = partyline::http;

using http::accepted_by;
using http::is_json_type;
using partyline::test::made_head;

BOOST_AUTO_TEST_SUITE(http_media)

BOOST_AUTO_TEST_CASE(a_body_is_json_in_utf8)
{
    const std::pair<const char*, bool> rows[] = {
        {"application/json", true},
        {"Application/JSON", true},
        {"application/json-rpc", true},
        {"application/jsonrequest", true},
        {"application/json;", true},
        {"application/json; charset=utf-8", true},
        {"application/json;charset=UTF-8", true},
        {"application/json \t;\t charset = utf8", true},
        {"application/json; charset=\"utf-8\"", true},
        {"application/json; charset", false},
        {"application/json; profile=\"a;charset=latin1\"", true},
        {"application/json; profile=\"a\\\";charset=latin1\"; charset=utf-8", true},
        {"application/json; version=1; charset=utf-8", true},
        {"application/json; charset=iso-8859-1", false},
        {"application/json; CHARSET=utf-16", false},
        {"application/json; charset=utf-8; charset=latin1", false},
        {"application/json; charset=\"utf-8", false},
        {"application/json; charset='utf-8'", false},
        {"application/json, text/plain", false},
        {"application/jsonx", false},
        {"application/jso", false},
        {"application/json/x", false},
        {"application/ json", false},
        {"application/problem+json", false},
        {"text/json", false},
        {"text/plain", false}, // what a page sends without being asked about it
        {"text/plain; application/json", false},
        {"application/x-www-form-urlencoded", false},
        {"multipart/form-data", false},
        {"*/*", false},
        {";", false},
        {"", false},
    };
    for (const auto& [type, is_taken] : rows)
        BOOST_TEST(is_json_type(type) == is_taken, type);
}

BOOST_AUTO_TEST_CASE(what_a_client_accepts_is_read_as_it_is_meant)
{
    const struct {
        std::vector<const char*> accept;
        bool json;
        bool event_stream;
    } rows[] = {
        {{}, true, true},
        {{"*/*"}, true, true},
        {{"application/json, text/event-stream"}, true, true},
        {{"text/event-stream, application/json"}, true, true},
        {{"application/json", "text/event-stream"}, true, true},
        {{"application/json", "application/json"}, true, false},
        {{"*/*", "text/event-stream;q=0"}, true, false},
        {{"application/json"}, true, false},
        {{"application/json-rpc"}, true, false},
        {{"text/event-stream"}, false, true},
        {{"TEXT/Event-Stream;charset=utf-8"}, false, true},
        {{"application/*"}, true, false},
        {{"text/*"}, false, true},
        {{"*"}, true, true},
        {{"text/html, image/gif, *; q=.2, */*; q=.2"}, true, true},
        {{"application/json;q=0.9,text/event-stream;q=0.1"}, true, true},
        {{"application/json;q=0.001"}, true, false},
        {{"application/json;q=0, */*"}, false, true},
        {{"*/*, application/json;Q=0.000"}, false, true},
        {{"text/event-stream;q=0, */*"}, true, false},
        {{"text/*;q=0, */*"}, true, false},
        {{"*/*, text/*;q=0"}, true, false},
        {{"text/*, */*;q=0"}, false, true},
        {{"*/*;q=0, text/*"}, false, true},
        {{"text/event-stream, text/*;q=0"}, false, true},
        {{"text/*;q=0, text/event-stream"}, false, true},
        {{"application/json; q = 0 , text/event-stream"}, false, true},
        {{"application/json;x=\"a,text/event-stream\""}, true, false},
        {{"application/json;x=\"q=0;\", text/event-stream"}, true, true},
        {{",, application/json ,"}, true, false},
        {{"rubbish, ;;;, /, text/event-stream"}, false, true},
        // Whoever seems to take neither is given JSON.
        {{""}, true, false},
        {{"text/html"}, true, false},
        {{"*/*;q=0"}, true, false},
        {{"\"application/json"}, true, false},
    };
    for (const auto& row : rows) {
        std::vector<http::field> fields = {{"Host", "localhost"}};
        for (const char* one : row.accept)
            fields.push_back({"ACCEPT", one});
        const made_head head(fields);
        BOOST_TEST_CONTEXT((row.accept.empty() ? "without Accept" : row.accept.back()))
        {
            const http::accepted_types accepts = accepted_by(head);
            BOOST_TEST(accepts.json == row.json);
            BOOST_TEST(accepts.event_stream == row.event_stream);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
