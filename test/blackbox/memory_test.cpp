// What was needed once is given back: buffers shrink, and nothing grows with the number of requests served.

#include "support/answer_sheet.hpp"
#include "support/listening_server.hpp"
#include "support/mebibyte.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>

#include <stdlib.h>
#include <sys/resource.h>

using namespace partyline::test;

namespace {

// glibc raises the size from which it gives memory back at once to that of the longest message. In children started
// while this lives it does not, so that they hold what the server holds.
class without_hoarding {
public:
    without_hoarding() { ::setenv(name, "131072", 1); }
    ~without_hoarding() { ::unsetenv(name); }
    without_hoarding(const without_hoarding&) = delete;
    without_hoarding& operator=(const without_hoarding&) = delete;

private:
    static constexpr const char* name = "MALLOC_MMAP_THRESHOLD_";
};

void exchange_echoes(echo_server& s, std::size_t count)
{
    answer_sheet answers(count);
    exchange(s.input().get(), numbered(0, count, echo_request), s.output(), answers.noting());
    s.output().read_lines(answers.noting(), [&] { return answers.is_complete(); });
    BOOST_TEST(answers.results() == count);
}

void exchange_long_echo(echo_server& s, const std::string& params)
{
    std::string received;
    const line_handler on_line = [&](std::string_view line) { received = line; };
    exchange(s.input().get(), request(1, "echo", params), s.output(), on_line);
    s.output().read_lines(on_line, [&] { return !received.empty(); });
    BOOST_TEST((received == R"({"jsonrpc":"2.0","id":1,"result":)" + params + "}"));
}

// Has requests in flight at once, and cancels them.
void burst(echo_server& s, std::size_t count, const std::string& params)
{
    answer_sheet answers(count);
    const auto make = [&](std::uint64_t id) { return request(id, "delay", params); };
    exchange(s.input().get(), numbered(0, count, make), s.output(), answers.noting());
    s.expect_silence();
    exchange(s.input().get(), numbered(0, count, cancel_of), s.output(), answers.noting());
    s.output().read_lines(answers.noting(), [&] { return answers.is_complete(); });
    BOOST_TEST(answers.errors(-32800) == count);
    exchange_echoes(s, 1'000);
}

// For a thousand connections and more, in this process and in those that it starts.
void allow_many_descriptors()
{
    rlimit descriptors;
    ::getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = std::min<rlim_t>(descriptors.rlim_max, 4096);
    ::setrlimit(RLIMIT_NOFILE, &descriptors);
}

void check_not_above(std::size_t seen, std::size_t expected, std::size_t margin)
{
    if (!is_sanitized)
        BOOST_TEST(seen <= expected + margin);
}

} // namespace

BOOST_AUTO_TEST_SUITE(memory, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(buffers_shrink_after_long_messages)
{
    const int count = is_sanitized ? 3 : 200;
    const without_hoarding always;
    echo_server s;
    exchange_echoes(s, 1'000);
    const std::size_t before = s.child().resident_bytes();
    const std::string params = "[\"" + std::string(10 * mebibyte, 'x') + "\"]";
    for (int i = 0; i < count; ++i) {
        if (i % 10 == 0)
            exchange_long_echo(s, params);
        else
            s.send_bytes(notification("echo", params)); // as much work for the server, half of it for the pipes
    }
    s.expect_silence();
    exchange_echoes(s, 1'000);
    const std::size_t after = s.child().resident_bytes();
    BOOST_TEST_MESSAGE(before / 1024 << " KiB before, " << s.child().peak_resident_bytes() / 1024 << " KiB at most, "
                                     << after / 1024 << " KiB after");
    check_not_above(after, before, mebibyte);
}

// Not by what the process holds afterwards: malloc gives small blocks back only when none above them is in use.
BOOST_AUTO_TEST_CASE(what_a_burst_has_taken_is_free_for_other_things)
{
    const std::size_t count = is_sanitized ? 5'000 : 50'000;
    echo_server s({"--max-in-flight", "100000"});
    burst(s, count, R"({"ms":600000})");
    const std::size_t peak = s.child().peak_resident_bytes();
    BOOST_TEST_MESSAGE(peak / 1024 << " KiB at most, " << s.child().resident_bytes() / 1024 << " KiB afterwards");
    burst(s, count / 3, R"({"ms":600000,"value":")" + std::string(2'000, 'x') + "\"}");
    BOOST_TEST_MESSAGE(s.child().peak_resident_bytes() / 1024 << " KiB with fewer but longer ones");
    check_not_above(s.child().peak_resident_bytes(), peak, 2 * mebibyte);
    burst(s, count, R"({"ms":600000})");
    check_not_above(s.child().resident_bytes(), peak, 4 * mebibyte);
}

// The first results fill the outbox, as many again wait for room; the others were errors before they took any.
// rule: security.memory.session
BOOST_AUTO_TEST_CASE(results_that_nobody_reads_take_no_more_than_twice_the_cap)
{
    constexpr std::size_t cap = 64 * mebibyte;            // limits::outbox_hard_bytes
    const std::size_t count = is_sanitized ? 200 : 1'000; // and one place in flight for the notification
    const without_hoarding always;
    noisy_server s;
    std::string requests;
    for (std::size_t id = 0; id != count; ++id)
        requests += request(id, "together", "[1048576]");
    s.send_bytes(requests + notification("go", "[]"));
    std::size_t results = 0;
    for (std::size_t left = count; left != 0; --left) {
        const boost::json::object reply = s.read_message();
        if (reply.contains("result"))
            ++results;
        else
            BOOST_TEST(reply.at("error").at("code") == -32603);
    }
    BOOST_TEST_MESSAGE(results << " results, " << s.child().peak_resident_bytes() / 1024 << " KiB at most");
    BOOST_TEST(results >= cap / mebibyte);
    check_not_above(s.child().peak_resident_bytes(), 2 * cap, 16 * mebibyte);
    s.send_bytes(request(1, "together", "[10]") + notification("go", "[]"));
    s.expect_result("\"xxxxxxxxxx\"");
}

// Half of them send a message and never its end, the others do not read the reply to theirs.
// rule: security.memory.server
BOOST_AUTO_TEST_CASE(a_thousand_connections_share_a_budget)
{
    if (is_sanitized)
        return; // a sanitizer's own memory is more than that
    allow_many_descriptors();
    constexpr std::size_t budget = 64 * mebibyte;
    listening_server s({"--memory-bytes", std::to_string(budget), "--max-connections", "1010"});
    std::deque<socket_client> clients;
    for (int i = 0; i != 1'000; ++i)
        clients.push_back(s.unix_client());
    for (socket_client& client : clients)
        client.expect_service();
    const std::size_t before = s.child().resident_bytes();
    const std::string whole = request(1, "echo", "[\"" + std::string(600'000, 'x') + "\"]");
    for (std::size_t i = 0; i != clients.size(); ++i)
        clients[i].send(i % 2 == 0 ? whole : whole.substr(0, whole.size() - 10));
    s.unix_client().expect_service();
    const std::size_t most = s.child().peak_resident_bytes();
    BOOST_TEST_MESSAGE(before / 1024 << " KiB with quiet ones, " << most / 1024 << " KiB at most");
    BOOST_TEST(most <= before + 2 * budget + clients.size() * 2 * 65'536); // each may hold what it reads at once
    clients.clear();
    s.unix_client().expect_service();
}

BOOST_AUTO_TEST_SUITE_END()
