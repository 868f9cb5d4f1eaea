// TLS on both sides of the gateway: what it serves, and what it asks for a host.

#include "running_gateway.hpp"
#include "support/server_process.hpp"
#include "support/test_certificates.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::running_gateway;
using partyline::test::server_process;
using partyline::test::test_certificates;

namespace {

const std::string sum_request = R"({"jsonrpc":"2.0","id":1,"method":"add","params":[2,40]})";
const std::string sum_reply = R"({"jsonrpc":"2.0","id":1,"result":42})";

struct secure_gateway {
    test_certificates files;
    partyline::tls::certificate_files own = files.make_local();

    // In front of the sample server.
    std::vector<std::string> with(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"--tls-certificate", own.certificate_file, "--tls-key", own.key_file});
        words.insert(words.end(), {"--", PARTYLINE_ECHO});
        return words;
    }
    // A gateway for a host, to that one.
    static server_process host_of(const running_gateway& far, std::vector<std::string> words)
    {
        words.insert(words.begin(), {"--stdio", "wss://localhost:" + std::to_string(far.port()) + "/ws"});
        return server_process(PARTYLINE_GATEWAY, words);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_tls, secure_gateway, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_host_reaches_a_server_by_it)
{
    running_gateway far(with({}));
    server_process host = host_of(far, {"--tls-ca", files.trusted_ca()});
    host.send(sum_request);
    BOOST_TEST(host.read_line() == sum_reply);
    host.close_input();
    BOOST_TEST(host.wait_exit() == 0);
    http_client plain = far.connect();
    BOOST_TEST(plain.ask("/rpc", sum_request).body == sum_reply); // on the same port
}

BOOST_AUTO_TEST_CASE(a_server_that_nobody_vouches_for_is_not_spoken_to)
{
    running_gateway far(with({}));
    server_process host = host_of(far, {"--tls-ca", files.unknown_ca()});
    BOOST_TEST(host.wait_exit() == 3);
    BOOST_TEST(host.errors().find("certificate") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(plain_text_can_be_refused)
{
    for (const auto& words : {std::vector<std::string>{"--tls-only"}, {"--tls-client-ca", files.trusted_ca()}}) {
        running_gateway far(with(words));
        http_client plain = far.connect();
        const http_response got = plain.ask("/rpc", sum_request);
        BOOST_TEST(got.status == 400);
        BOOST_TEST(got.body.find("TLS alone") != std::string::npos, got.body);
        http_client lines = far.connect();
        lines.send(sum_request + '\n');
        BOOST_TEST(lines.is_closed());
        BOOST_TEST(far.servers().empty());
    }
}

BOOST_AUTO_TEST_CASE(a_host_may_be_known_by_a_certificate)
{
    running_gateway far(with({"--tls-client-ca", files.trusted_ca()}));
    const auto alice = files.make("alice", {.common_name = "alice"});
    server_process host = host_of(far, {"--tls-ca", files.trusted_ca(), "--client-certificate", alice.certificate_file,
                                        "--client-key", alice.key_file});
    host.send(sum_request);
    BOOST_TEST(host.read_line() == sum_reply);
    server_process nobody = host_of(far, {"--tls-ca", files.trusted_ca()});
    BOOST_TEST(nobody.wait_exit() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
