// Every limit by its option: at the limit, one beyond, and a hundred times as much.

#include "support/answer_sheet.hpp"
#include "support/check_peak.hpp"
#include "support/mebibyte.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/server_process.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

using counters = std::map<std::string, std::uint64_t>;

// A server that says at the end what it has counted.
struct counting_server : echo_server {
    explicit counting_server(std::vector<std::string> options) : echo_server(with_stats(std::move(options))) {}

    static std::vector<std::string> with_stats(std::vector<std::string> options)
    {
        options.push_back("--stats");
        return options;
    }

    counters end_and_count()
    {
        peak = child().peak_resident_bytes();
        close_input();
        expect_end(0);
        return stats();
    }

    std::size_t peak = 0;
};

std::string echo_of(std::string_view params, std::string_view id = "1")
{
    return R"({"jsonrpc":"2.0","method":"echo","params":)" + std::string(params) + R"(,"id":)" + std::string(id) + "}";
}

std::string batch_of(std::size_t elements)
{
    std::string text = "[";
    for (std::size_t i = 0; i < elements; ++i)
        text += echo_of("[]", std::to_string(i)) + ",";
    text.back() = ']';
    return text;
}

// One that never ends by itself, and whose message has this many bytes.
std::string endless_of_size(std::uint64_t id, std::size_t bytes)
{
    const std::string line = request(id, "delay", R"({"ms":600000,"value":""})");
    return request(id, "delay", R"({"ms":600000,"value":")" + std::string(bytes + 1 - line.size(), 'x') + "\"}");
}

// Sends `count` endless requests of this size, then cancels all; every one is answered once.
counters flood_and_cancel(counting_server& s, std::size_t count, std::size_t bytes)
{
    answer_sheet answers(count);
    const auto make = [bytes](std::uint64_t id) { return endless_of_size(id, bytes); };
    exchange(s.input().get(), numbered(0, count, make), s.output(), answers.noting());
    exchange(s.input().get(), numbered(0, count, cancel_of), s.output(), answers.noting());
    s.output().read_lines(answers.noting(), [&] { return answers.is_complete(); });
    counters n = s.end_and_count();
    BOOST_TEST(answers.errors(-32800) == n["cancelled"]);
    BOOST_TEST(answers.errors(-31001) == n["busy"]);
    BOOST_TEST(answers.total() == n["cancelled"] + n["busy"]);
    return n;
}

} // namespace

BOOST_AUTO_TEST_SUITE(limit_options, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(max_message_bytes)
{
    const std::size_t limit = 200'000;
    echo_server s({"--max-message-bytes", std::to_string(limit)});
    const auto message = [](std::size_t size) {
        return echo_of("[\"" + std::string(size - echo_of("[\"\"]").size(), 'x') + "\"]");
    };
    s.send(message(limit));
    BOOST_TEST(s.read_message().contains("result"));
    s.send(message(limit + 1));
    check_limit(s.expect_error("1", -32600), limit, limit + 1);
    s.send(message(100 * limit));
    check_limit(s.expect_error("1", -32600), limit, 100 * limit);
    s.expect_silence();
    check_peak(s.child().peak_resident_bytes(), 10 * mebibyte);
}

BOOST_AUTO_TEST_CASE(max_depth)
{
    echo_server s({"--max-depth", "10"});
    s.send(echo_of(nested(9))); // the message itself is one
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":)" + nested(9) + "}");
    for (const std::size_t depth : {11, 1000}) {
        s.send(echo_of(nested(depth - 1)));
        check_limit(s.expect_error("1", -32600), 10, depth);
    }
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(max_id_bytes)
{
    const auto id = [](std::size_t size) { return '"' + std::string(size - 2, 'x') + '"'; };
    echo_server s({"--max-id-bytes", "20"});
    s.send(echo_of("[]", id(20)));
    s.expect(R"({"jsonrpc":"2.0","id":)" + id(20) + R"(,"result":[]})");
    for (const std::size_t size : {21, 2000}) {
        s.send(echo_of("[]", id(size)));
        const json::value data = s.expect_error("null", -32600);
        BOOST_TEST(data.at("limit").as_int64() == 20);
        BOOST_TEST(data.at("value").as_int64() > 20);
    }
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(max_batch)
{
    echo_server s({"--max-batch", "5"});
    s.send(batch_of(5));
    BOOST_TEST(s.read_line().starts_with("[{"));
    s.send(batch_of(6));
    const json::array refused = json::parse(s.read_line()).as_array();
    BOOST_TEST(refused.size() == 6u);
    for (std::size_t i = 0; i < refused.size(); ++i)
        check_limit(check_error(refused[i].as_object(), std::to_string(i), -32600), 5, 6);
    s.send(batch_of(500)); // more than four times as many: together
    check_limit(s.expect_error("null", -32600), 5, 500);
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(max_in_flight)
{
    for (const auto& [sent, in_flight, waiting] : {std::tuple(4, 4, 0), {5, 4, 1}, {400, 4, 396}}) {
        counting_server s({"--max-in-flight", "4"});
        counters n = flood_and_cancel(s, std::size_t(sent), 100);
        BOOST_TEST(n["peak_in_flight"] == std::uint64_t(in_flight));
        BOOST_TEST(n["peak_waiting"] == std::uint64_t(waiting));
        BOOST_TEST(n["busy"] == 0u);
    }
}

BOOST_AUTO_TEST_CASE(max_in_flight_bytes)
{
    for (const auto& [sent, in_flight, waiting] : {std::tuple(4, 4, 0), {5, 4, 1}, {400, 4, 396}}) {
        counting_server s({"--max-in-flight-bytes", "1000"});
        counters n = flood_and_cancel(s, std::size_t(sent), 250);
        BOOST_TEST(n["peak_in_flight"] == std::uint64_t(in_flight));
        BOOST_TEST(n["peak_waiting"] == std::uint64_t(waiting));
        BOOST_TEST(n["peak_waiting_bytes"] == 250 * std::uint64_t(waiting));
    }
    // One is always admitted, whatever its size.
    counting_server s({"--max-in-flight-bytes", "1000"});
    counters n = flood_and_cancel(s, 2, 100'000);
    BOOST_TEST(n["peak_in_flight"] == 1u);
    BOOST_TEST(n["peak_waiting"] == 1u);
}

BOOST_AUTO_TEST_CASE(max_waiting)
{
    for (const auto& [sent, waiting, busy] : {std::tuple(1 + 3, 3, 0), {1 + 4, 3, 1}, {1 + 300, 3, 297}}) {
        counting_server s({"--max-in-flight", "1", "--max-waiting", "3"});
        counters n = flood_and_cancel(s, std::size_t(sent), 100);
        BOOST_TEST(n["peak_in_flight"] == 1u);
        BOOST_TEST(n["peak_waiting"] == std::uint64_t(waiting));
        BOOST_TEST(n["busy"] == std::uint64_t(busy));
    }
    counting_server s({"--max-in-flight", "1", "--max-waiting", "0"});
    counters n = flood_and_cancel(s, 100, 100);
    BOOST_TEST(n["peak_waiting"] == 0u);
    BOOST_TEST(n["busy"] == 99u);
}

BOOST_AUTO_TEST_CASE(max_waiting_bytes)
{
    for (const auto& [sent, waiting, busy] : {std::tuple(1 + 4, 4, 0), {1 + 5, 4, 1}, {1 + 400, 4, 396}}) {
        counting_server s({"--max-in-flight", "1", "--max-waiting-bytes", "1000"});
        counters n = flood_and_cancel(s, std::size_t(sent), 250);
        BOOST_TEST(n["peak_waiting_bytes"] == 250 * std::uint64_t(waiting));
        BOOST_TEST(n["busy"] == std::uint64_t(busy));
    }
}

// rule: security.memory.session
BOOST_AUTO_TEST_CASE(bytes_of_requests_bound_the_memory_of_the_server)
{
    const std::size_t budget = mebibyte;
    counting_server s({"--max-in-flight-bytes", std::to_string(budget), "--max-waiting-bytes", std::to_string(budget)});
    const std::size_t count = is_sanitized ? 50 : 100 * 10;
    counters n = flood_and_cancel(s, count, budget / 10);
    BOOST_TEST(n["peak_in_flight"] == 10u);
    BOOST_TEST(n["peak_waiting"] == 10u);
    BOOST_TEST(n["busy"] == count - 20);
    check_peak(s.peak, 16 * mebibyte);
}

BOOST_AUTO_TEST_CASE(outbox_hard_bytes)
{
    const std::size_t limit = 100'000;
    for (const std::size_t count : {limit / 1000 / 2, limit / 1000 * 100}) {
        counting_server s({"--outbox-hard-bytes", std::to_string(limit), "--max-waiting", "10"});
        const std::string params = "[\"" + std::string(1000, 'x') + "\"]";
        const std::string text = numbered(0, count, [&](std::uint64_t id) { return request(id, "echo", params); });
        const std::size_t unread = write_what_fits(s.input().get(), text);
        s.output().wait_readable();
        answer_sheet answers(count);
        exchange(s.input().get(), std::string_view(text).substr(unread), s.output(), answers.noting());
        s.output().read_lines(answers.noting(), [&] { return answers.is_complete(); });
        counters n = s.end_and_count();
        BOOST_TEST(n["peak_outbox_bytes"] <= limit + 1100); // one reply that had room when it was begun
        BOOST_TEST(answers.results() + n["busy"] == count);
    }
}

BOOST_AUTO_TEST_SUITE_END()
