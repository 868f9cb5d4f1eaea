// Bad input in quantity: each costs one bounded answer, and no more memory than the limits say.

#include "support/check_peak.hpp"
#include "support/mebibyte.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/server_process.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace json = boost::json;
using namespace partyline::test;

namespace {

constexpr std::size_t message_limit = 16 * mebibyte; // the default
constexpr std::size_t longest_error = 200;

// A line of `head`, `mebibytes` times a mebibyte of `filler`, and `tail`. Returns the mebibytes per second.
double send_long_line(echo_server& s, std::string_view head, std::string_view filler, std::size_t mebibytes,
                      std::string_view tail)
{
    std::string chunk;
    while (chunk.size() < mebibyte)
        chunk += filler;
    chunk.resize(mebibyte);
    const auto start = std::chrono::steady_clock::now();
    s.send_bytes(head);
    for (std::size_t i = 0; i < mebibytes; ++i)
        s.send_bytes(chunk);
    s.send(tail);
    s.output().wait_readable();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    return static_cast<double>(mebibytes) / time.count();
}

// Sends one line and expects one error for it, a short one.
json::value send_bad_line(echo_server& s, std::string_view line, std::string_view id, int code)
{
    s.send(line);
    const json::object reply = s.read_message();
    BOOST_TEST(json::serialize(reply).size() < longest_error);
    s.expect_silence();
    return check_error(reply, id, code);
}

std::string repeated(std::string_view text, std::size_t count)
{
    std::string all;
    for (std::size_t i = 0; i < count; ++i)
        all += text;
    return all;
}

std::string batch_of(std::string_view element, std::size_t count)
{
    return "[" + repeated(std::string(element) + ",", count - 1) + std::string(element) + "]";
}

} // namespace

BOOST_AUTO_TEST_SUITE(endless_input, *boost::unit_test::timeout(100))

// rule: security.memory.session
BOOST_AUTO_TEST_CASE(a_gibibyte_without_newline_takes_no_more_than_twice_the_limit)
{
    const std::size_t mebibytes = is_sanitized ? 64 : 1024;
    echo_server s;
    const std::string head = R"({"jsonrpc":"2.0","method":"echo","params":[")";
    const std::string tail = R"("],"id":"found"})";
    const double speed = send_long_line(s, head, "x", mebibytes, tail);
    BOOST_TEST_MESSAGE("a line of " << mebibytes << " MiB: " << speed << " MiB/s");
    check_limit(s.expect_error("\"found\"", -32600), message_limit, head.size() + mebibytes * mebibyte + tail.size());
    s.send(R"({"jsonrpc":"2.0","id":"after","method":"echo"})");
    s.expect(R"({"jsonrpc":"2.0","id":"after","result":null})");
    check_peak(s.child().peak_resident_bytes(), 2 * message_limit);
}

// What takes the scanner longest, and what is not JSON at all.
BOOST_AUTO_TEST_CASE(whatever_an_endless_line_is_made_of_it_has_one_error)
{
    const std::size_t mebibytes = is_sanitized ? 18 : 32;
    const std::tuple<const char*, const char*, const char*> rows[] = {
        {R"({"id":1,"method":"echo","params":[)", R"({"id":"\\\"","a":[1.5e3,null]},)", "0]}"},
        {R"({"id":1,"method":"echo","params":)", "[", ""},
        {R"({"id":1,"method":"echo","params":)", R"({"a":)", ""},
        {R"({"id":1,"method":"echo","params":[")", R"(\u0022)", R"("]})"},
        {"", "rubbish ", ""},
        {"", "\\", ""},
    };
    for (const auto& [head, filler, tail] : rows) {
        BOOST_TEST_CONTEXT(filler)
        {
            echo_server s;
            const double speed = send_long_line(s, head, filler, mebibytes, tail);
            BOOST_TEST_MESSAGE(mebibytes << " MiB of " << filler << ": " << speed << " MiB/s");
            const json::object reply = s.read_message();
            BOOST_TEST(reply.at("error").at("code").as_int64() == -32600);
            s.expect_silence();
            check_peak(s.child().peak_resident_bytes(), 2 * message_limit);
        }
    }
}

BOOST_AUTO_TEST_CASE(ten_thousand_nested_arrays_have_one_error)
{
    const std::size_t depth = 10'000;
    const std::string opened(depth, '[');
    const std::string closed(depth, ']');
    echo_server s;
    check_limit(send_bad_line(s, opened + closed, "null", -32600), 128, depth);
    check_limit(send_bad_line(s, opened, "null", -32600), 128, depth);
    check_limit(send_bad_line(s, repeated(R"({"a":)", depth), "null", -32600), 128, depth);
    const std::string late_id = R"({"jsonrpc":"2.0","method":"echo","params":)" + opened + closed + R"(,"id":5})";
    check_limit(send_bad_line(s, late_id, "5", -32600), 128, depth + 1);
    check_peak(s.child().peak_resident_bytes(), message_limit);
}

BOOST_AUTO_TEST_CASE(a_batch_of_a_million_elements_has_one_error)
{
    const std::size_t count = 1'000'000;
    echo_server s;
    for (const char* element : {"1", "{}", "[]", R"({"id":1})"})
        check_limit(send_bad_line(s, batch_of(element, count), "null", -32600), 1000, count);
    send_bad_line(s, "[" + repeated("1,", count), "null", -32700);
    s.send(batch_of("1", 1'001)); // of which none has an id to be refused by
    const json::array refused = json::parse(s.read_line()).as_array();
    BOOST_TEST(refused.size() == 1u);
    check_limit(check_error(refused.at(0).as_object(), "null", -32600), 1000, 1'001);
    const std::string overlong = batch_of(R"({"jsonrpc":"2.0","id":1,"method":"echo"})", count);
    check_limit(send_bad_line(s, overlong, "null", -32600), message_limit, overlong.size());
    check_peak(s.child().peak_resident_bytes(), 2 * message_limit);
}

// rule: security.messages.one_answer
BOOST_AUTO_TEST_CASE(a_million_lines_of_garbage_have_an_error_each)
{
    const std::size_t count = is_sanitized ? 50'000 : 1'000'000;
    const std::string text = repeated("rubbish\n", count);
    const std::string expected =
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{"offset":0}}})";
    echo_server s({"--outbox-hard-bytes", "1000000"}); // so much may wait until we read
    std::size_t errors = 0;
    const line_handler on_line = [&](std::string_view line) {
        if (line != expected)
            BOOST_FAIL("not the error: " << line);
        ++errors;
    };
    exchange(s.input().get(), text, s.output(), on_line);
    s.output().read_lines(on_line, [&] { return errors == count; });
    BOOST_TEST(errors == count);
    s.expect_silence();
    check_peak(s.child().peak_resident_bytes(), message_limit);
}

BOOST_AUTO_TEST_SUITE_END()
