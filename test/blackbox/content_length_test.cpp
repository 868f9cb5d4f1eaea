#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <partyline/protocol/framing.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace json = boost::json;
using namespace partyline::test;
using strings = std::vector<std::string>;

namespace {

std::string framed(std::string_view message)
{
    return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + std::string(message);
}

// What the server has written, taken apart; it must be whole.
strings messages_of(std::string_view output)
{
    partyline::content_length_framing framing{partyline::limits()};
    strings messages;
    const auto drain = [&] {
        for (partyline::frame f; framing.next(f);)
            messages.emplace_back(f.problem.empty() ? f.text : f.problem);
    };
    while (!output.empty()) {
        const std::span<char> room = framing.prepare();
        const std::size_t count = std::min(room.size(), output.size());
        std::memcpy(room.data(), output.data(), count);
        framing.commit(count);
        output.remove_prefix(count);
        drain();
    }
    framing.finish();
    drain();
    return messages;
}

struct outcome {
    strings messages;
    int code;
    std::string errors;
};

// Writes `input`, ends it, and waits for the end.
outcome converse(std::vector<std::string> options, std::string_view input)
{
    echo_server s(std::move(options));
    const std::string output = exchange(std::move(s.input()), input, s.output());
    const int code = s.wait_exit();
    return {messages_of(output), code, s.errors()};
}

const strings headers{"--framing", "content-length"};
const strings language_server{"--profile", "lsp"};
const std::string initialize = framed(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})");
const std::string say_shutdown = framed(R"({"jsonrpc":"2.0","id":"s","method":"shutdown"})");
const std::string say_exit = framed(R"({"jsonrpc":"2.0","method":"exit"})");

} // namespace

BOOST_AUTO_TEST_SUITE(content_length, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(messages_come_and_go_behind_their_lengths)
{
    const std::string text = "\"\xC3\xA4\xE2\x82\xAC\xF0\x9D\x84\x9E\"";
    const outcome end = converse(
        headers, framed(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[)" + text + "]}") +
                     framed("{\n  \"jsonrpc\": \"2.0\",\r\n \"id\": 2, \"method\": \"add\", \"params\": [1, 2]\n}"));
    const strings expected{R"({"jsonrpc":"2.0","id":1,"result":[)" + text + "]}",
                           R"({"jsonrpc":"2.0","id":2,"result":3})"};
    BOOST_TEST(end.messages == expected, boost::test_tools::per_element());
    BOOST_TEST(end.code == 0);
    BOOST_TEST(end.errors == "");
}

BOOST_AUTO_TEST_CASE(a_broken_header_is_told_and_ends_it_and_what_is_under_way_is_finished)
{
    struct row {
        std::string input;
        const char* reason;
    };
    const std::string behind = framed(R"({"jsonrpc":"2.0","id":2,"method":"echo"})");
    const std::vector<row> rows{
        {"Content-Length 40\r\n\r\n{}" + behind, "no colon"},
        {"Content-Length: 2\r\n", "within a header"},
    };
    const std::string slow = framed(R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":50,"value":7}})");
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.input.substr(0, 60))
        {
            const outcome end = converse(headers, slow + r.input);
            BOOST_TEST_REQUIRE(end.messages.size() == 2u);
            const json::value data = check_error(json::parse(end.messages[0]).as_object(), "null", -32700);
            BOOST_TEST(contains(std::string(data.at("reason").as_string()), r.reason), end.messages[0]);
            BOOST_TEST(end.messages[1] == R"({"jsonrpc":"2.0","id":1,"result":7})");
            BOOST_TEST(end.code == 3);
            BOOST_TEST(contains(end.errors, "the session ended: input can't be told apart into messages any more"));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_header_of_a_mebibyte_is_not_read_to_its_end)
{
    echo_server s(headers);
    try {
        s.send_bytes("X: " + std::string(1 << 20, 'x') + "\r\n");
    } catch (const std::system_error&) { // it has ended meanwhile
    }
    const strings messages = messages_of(s.output().read_rest());
    BOOST_TEST(s.wait_exit() == 3);
    BOOST_TEST_REQUIRE(messages.size() == 1u);
    BOOST_TEST(contains(messages[0], "longer than the limit"));
}

// rule: security.harm.answer
BOOST_AUTO_TEST_CASE(what_costs_one_message_costs_no_other)
{
    const strings options{"--framing", "content-length", "--max-message-bytes", "100"};
    const outcome end =
        converse(options, framed(R"({"jsonrpc":"2.0","method":"echo","params":[")" + std::string(1000, 'x') +
                                 R"("],"id":"long"})") +
                              "Content-Type: a/b; charset=utf-16\r\n" + framed(std::string("{\0}\0", 4)) + framed("") +
                              framed("garbage") + framed(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})"));
    BOOST_TEST_REQUIRE(end.messages.size() == 5u);
    check_error(json::parse(end.messages[0]).as_object(), "\"long\"", -32600);
    for (int i : {1, 2, 3})
        check_error(json::parse(end.messages[i]).as_object(), "null", -32700);
    BOOST_TEST(contains(end.messages[1], "another charset"));
    BOOST_TEST(end.messages[4] == R"({"jsonrpc":"2.0","id":1,"result":[1]})");
    BOOST_TEST(end.code == 0);
}

BOOST_AUTO_TEST_CASE(exit_codes_are_those_of_the_specification)
{
    BOOST_TEST(converse(language_server, initialize + say_shutdown + say_exit).code == 0);
    BOOST_TEST(converse(language_server, initialize + say_exit).code == 1);
    BOOST_TEST(converse(language_server, say_exit).code == 1);
    BOOST_TEST(converse(language_server, initialize + say_shutdown).code == 0); // input has ended, all is answered
    BOOST_TEST(converse(language_server, "").code == 0);
    BOOST_TEST(converse(headers, say_exit).code == 0); // a notification as any other
}

BOOST_AUTO_TEST_CASE(exit_does_not_wait_for_the_end_of_input)
{
    echo_server s(language_server);
    s.send_bytes(initialize + framed(R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":600000}})") +
                 say_shutdown + say_exit);
    const strings messages = messages_of(s.output().read_rest());
    BOOST_TEST(s.wait_exit() == 0);
    BOOST_TEST_REQUIRE(messages.size() == 3u);
    check_error(json::parse(messages[2]).as_object(), "1", -32800);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_clients_process_ends_the_server)
{
    const pipe_ends life = make_pipe();
    const pid_t client = ::fork();
    if (client == 0) {
        ::close(life.write.get());
        char c;
        ::_exit(static_cast<int>(::read(life.read.get(), &c, 1)));
    }
    echo_server s(language_server);
    s.send_bytes(framed(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":)" +
                        std::to_string(client) + "}}"));
    s.output().wait_readable();
    ::kill(client, SIGKILL);
    ::waitpid(client, nullptr, 0);
    BOOST_TEST(s.wait_exit() == 3);
    BOOST_TEST(contains(s.errors(), "the session ended: the peer is gone, and reads no more"));
}

BOOST_AUTO_TEST_CASE(lines_serve_language_servers_as_well)
{
    echo_server s({"--profile", "lsp", "--framing", "lines"});
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"demo/echo","params":{}})");
    s.expect_error("1", -32002);
    s.send(R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":{}})");
    BOOST_TEST(contains(s.read_line(), R"("serverInfo":{"name":"partyline-echo")"));
    s.send(R"({"jsonrpc":"2.0","id":3,"method":"demo/echo","params":{"a":[1]}})");
    s.expect(R"({"jsonrpc":"2.0","id":3,"result":{"a":[1]}})");
    s.send(R"({"jsonrpc":"2.0","id":4,"method":"demo/slow","params":{"steps":2,"ms":1,"workDoneToken":"t"}})");
    const std::string head = R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":"t","value":)";
    s.expect(head + R"({"kind":"begin","title":"demo/slow"}}})");
    s.expect(head + R"({"kind":"report","message":"step 1","percentage":50}}})");
    s.expect(head + R"({"kind":"report","message":"step 2","percentage":100}}})");
    s.expect(head + R"({"kind":"end"}}})");
    s.expect(R"({"jsonrpc":"2.0","id":4,"result":{"steps":2}})");
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_SUITE_END()
