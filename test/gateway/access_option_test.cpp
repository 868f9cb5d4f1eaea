// The gateway that asks who calls, and one that says so for its host.

#include "running_gateway.hpp"
#include "support/access_fixture.hpp"
#include "support/descriptors.hpp"
#include "support/line_reader.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using partyline::test::access_fixture;
using partyline::test::contains;
using partyline::test::http_client;
using partyline::test::line_reader;
using partyline::test::make_pipe;
using partyline::test::pipe_ends;
using partyline::test::running_gateway;
using partyline::test::server_process;

namespace {

const std::string add_request = R"({"jsonrpc":"2.0","id":1,"method":"add","params":[2,40]})";
const std::string add_reply = R"({"jsonrpc":"2.0","id":1,"result":42})";
const std::string spin_request = R"({"jsonrpc":"2.0","id":1,"method":"spin","params":[1]})";

// In front of the sample server.
struct asking_gateway : access_fixture {
    std::string token_file = in("token");

    asking_gateway()
    {
        write(R"({"tokens":[)" + entry(alice, "alice") + R"(],"rules":[{"methods":["add"]}]})");
        std::ofstream(token_file) << alice.token << '\n';
        std::filesystem::permissions(token_file, std::filesystem::perms::owner_read);
    }
    std::vector<std::string> words() const { return {"--access", path(), "--", PARTYLINE_ECHO}; }
    static server_process host_of(const running_gateway& far, std::vector<std::string> more)
    {
        more.insert(more.begin(), {"--stdio", "ws://127.0.0.1:" + std::to_string(far.port()) + "/ws"});
        return server_process(PARTYLINE_GATEWAY, more);
    }
};

// All that it says on standard error can be read, in whichever order it comes.
class watched_gateway {
public:
    explicit watched_gateway(const std::vector<std::string>& words, const std::vector<std::string>& environment = {})
        : process_("/usr/bin/env", command(words, environment), partyline::test::pipe_wire(), errors_.write.get()),
          reader_(std::move(errors_.read))
    {
        errors_.write.reset();
    }

    server_process& process() { return process_; }
    /// Waits for it.
    std::string line_with(std::string_view text)
    {
        const auto has_it = [&](const std::string& line) { return contains(line, text); };
        for (;;) {
            const auto found = std::find_if(said_.begin(), said_.end(), has_it);
            if (found != said_.end())
                return *found;
            const std::optional<std::string> line = reader_.read_line();
            BOOST_TEST_REQUIRE(line.has_value());
            said_.push_back(*line);
        }
    }

private:
    static std::vector<std::string> command(const std::vector<std::string>& words, std::vector<std::string> before)
    {
        before.insert(before.end(), {PARTYLINE_GATEWAY, "--http", "127.0.0.1:0"});
        before.insert(before.end(), words.begin(), words.end());
        return before;
    }

    pipe_ends errors_ = make_pipe();
    server_process process_;
    line_reader reader_;
    std::vector<std::string> said_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_access, asking_gateway, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(callers_are_judged_before_their_calls_are_forwarded)
{
    running_gateway far(words());
    http_client client = far.connect();
    BOOST_TEST(client.ask("/rpc", add_request).status == 401);
    BOOST_TEST(far.connect().ask("/rpc", add_request, field(alice)).body == add_reply);
    BOOST_TEST(contains(far.connect().ask("/rpc", spin_request, field(alice)).body, "-32601"));
}

BOOST_AUTO_TEST_CASE(a_host_is_known_by_the_token_of_its_gateway)
{
    running_gateway far(words());
    server_process host = host_of(far, {"--token-file", token_file});
    host.send(add_request);
    BOOST_TEST(host.read_line() == add_reply);
    host.close_input();
    BOOST_TEST(host.wait_exit() == 0);
    BOOST_TEST(!contains(host.errors(), alice.token));

    server_process nobody = host_of(far, {});
    BOOST_TEST(nobody.wait_exit() == 3);
    BOOST_TEST(contains(nobody.errors(), "the server answered over HTTP"), nobody.errors());
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(a_host_whose_token_is_taken_away_is_told)
{
    running_gateway far(words());
    server_process host = host_of(far, {"--token-file", token_file});
    host.send(add_request);
    BOOST_TEST(host.read_line() == add_reply);
    write(R"({"rules":[{"methods":["add"]}]})");
    far.process().signal(SIGHUP);
    BOOST_TEST(host.wait_exit() == 3);
    BOOST_TEST(contains(host.errors(), "1008"), host.errors());
}

BOOST_AUTO_TEST_CASE(keys_that_are_not_to_be_had_are_told_of_and_hold_up_no_end)
{
    boost::asio::io_context own;
    boost::asio::ip::tcp::acceptor silent(own, {boost::asio::ip::address_v4::loopback(), 0}); // it never answers
    const auto write_issuer = [this](std::uint16_t port) {
        write(R"({"issuers":[{"issuer":"https://as.example","audiences":["a"],"allow_private":true,)"
              R"("jwks_uri":"http://127.0.0.1:)" +
              std::to_string(port) + R"(/keys"}]})");
    };
    write_issuer(silent.local_endpoint().port());
    running_gateway waiting(words());
    silent.accept(); // it is being asked
    waiting.process().signal(SIGTERM);
    BOOST_TEST(waiting.process().exits_within(std::chrono::seconds(8))); // sooner than it gives up

    write_issuer(1);
    watched_gateway refused(words());
    const std::string said = refused.line_with("no keys"); // before or after where it listens
    BOOST_TEST(contains(said, "partyline-gateway: access: no keys from http://127.0.0.1:1/keys: "), said);
    BOOST_TEST(contains(said, "Connection refused"), said);
    BOOST_TEST(!contains(said, "boost"), said);
}

BOOST_AUTO_TEST_CASE(a_dns_server_that_does_not_answer_holds_up_no_end)
{
    write(R"({"issuers":[{"issuer":"https://login.example","audiences":["x"],)"
          R"("jwks_uri":"https://stalled.example/keys"}],"rules":[]})");
    watched_gateway gateway(words(),
                            {"LD_PRELOAD=" PARTYLINE_STALLED_RESOLVER, "ASAN_OPTIONS=verify_asan_link_order=0"});
    gateway.line_with("the resolver waits");
    gateway.line_with("listening on");
    gateway.process().child().signal(SIGTERM);
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_SUITE_END()
