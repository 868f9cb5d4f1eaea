#include "bench/driver/wire.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

using bench::reply_reader;

namespace {

struct heard_replies {
    std::vector<std::string> messages;
    std::size_t responses;
    std::string session;
};

// In pieces of so many bytes.
heard_replies read(std::string_view text, std::size_t piece)
{
    reply_reader reader;
    bench::inbox into(bench::framing::ndjson);
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
        reader.append(text.substr(0, piece), into);
    heard_replies heard{{}, reader.responses(), reader.session()};
    for (std::size_t i = 0; i < into.size(); ++i)
        heard.messages.emplace_back(into[i]);
    return heard;
}

struct reading {
    const char* text;
    std::vector<std::string> messages;
    std::size_t responses;
};

const reading readings[] = {
    {"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", {"{}"}, 1},
    {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", {"{}", "[]"}, 2},
    {"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n", {}, 2},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nA\r\n\"a\":12345}\r\n0\r\n\r\n",
     {"{\"a\":12345}"},
     1},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n", {"{}"}, 1},
    {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
     "e\r\n: hello\n\nid: 1\r\n"
     "20\r\n\ndata:\n\nevent: message\ndata: {}\n\n\r\n"
     "9\r\ndata:[]\n\n\r\n",
     {"{}", "[]"},
     0},
};

} // namespace

BOOST_AUTO_TEST_SUITE(reply_readers)

BOOST_AUTO_TEST_CASE(messages_come_out_however_they_are_split)
{
    for (const reading& row : readings) {
        for (const std::size_t piece : {1u, 2u, 7u, 1000u}) {
            BOOST_TEST_CONTEXT(row.text << " by " << piece)
            {
                const heard_replies heard = read(row.text, piece);
                BOOST_TEST(heard.messages == row.messages, boost::test_tools::per_element());
                BOOST_TEST(heard.responses == row.responses);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_session_is_kept)
{
    const char* const begun = "HTTP/1.1 200 OK\r\nmcp-session-id: abc\r\nContent-Length: 2\r\n\r\n{}"
                              "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
    BOOST_TEST(read(begun, 5).session == "abc");
    BOOST_TEST(read(readings[0].text, 5).session == "");
}

BOOST_AUTO_TEST_CASE(what_is_no_success_or_no_http_is_a_failure)
{
    for (const char* const text : {"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "SSH-2.0-x\r\n\r\n",
                                   "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
                                   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"})
        BOOST_CHECK_THROW(read(text, 1000), bench::failure);
}

BOOST_AUTO_TEST_SUITE_END()
