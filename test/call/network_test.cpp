// The program against servers on the network that ask who it is.

#include "call_program.hpp"
#include "support/access_fixture.hpp"
#include "support/scratch_directory.hpp"
#include "support/test_certificates.hpp"
#include "support/text_search.hpp"
#include "web_server.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

using namespace call::test;
using partyline::test::contains;
using partyline::test::scratch_directory;
using partyline::test::test_certificates;

namespace {

const std::string token = "very-secret-token";

struct token_holder {
    scratch_directory scratch;
    std::string file = (scratch / "token").string();

    token_holder()
    {
        std::ofstream(file) << token << '\n';
        std::filesystem::permissions(file, std::filesystem::perms::owner_read);
    }
};

// A server that speaks lines over TLS, to clients with a certificate of the trusted authority.
struct secure_echo {
    test_certificates files;
    partyline::tls::certificate_files own = files.make_local();
    partyline::tls::certificate_files alice = files.make("alice", {.common_name = "alice"});
    listening_echo server{
        "--listen",
        "127.0.0.1:0",
        {"--tls-certificate", own.certificate_file, "--tls-key", own.key_file, "--tls-client-ca", files.trusted_ca()}};

    words with_certificate(words given) const
    {
        given.insert(given.end(), {"--tls-ca", files.trusted_ca(), "--client-certificate", alice.certificate_file,
                                   "--client-key", alice.key_file});
        return given;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(servers_that_authenticate, *boost::unit_test::timeout(100))

BOOST_FIXTURE_TEST_CASE(the_token_is_sent_as_a_bearer_token, token_holder)
{
    web_server server("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n"
                      R"({"jsonrpc":"2.0","id":1,"result":42})");
    const outcome run = run_call({server.url() + "/rpc", "x", "--token-file", file, "--trace", "-"});
    const std::string request = server.asked();
    BOOST_TEST(contains(request, "\r\nAuthorization: Bearer " + token + "\r\n"), request);
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "42\n");
    BOOST_TEST(!contains(run.err, token), run.err);
}

// rule: security.access.tokens
BOOST_FIXTURE_TEST_CASE(a_token_that_is_refused_is_not_shown, token_holder)
{
    for (const char* const scheme : {"http", "ws"}) {
        web_server server("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer error=\"invalid_token\"\r\n"
                          "Content-Length: 0\r\n\r\n");
        const outcome run = run_call({server.url(scheme) + "/rpc", "x", "--token-file", file, "--trace", "-"});
        const std::string request = server.asked();
        BOOST_TEST(contains(request, "\r\nAuthorization: Bearer " + token + "\r\n"), request);
        BOOST_TEST(run.code == 3);
        BOOST_TEST(contains(run.err, "401"), run.err);
        BOOST_TEST(!contains(run.err, token), run.err);
    }
}

BOOST_FIXTURE_TEST_CASE(a_certificate_is_shown_over_https_and_wss, secure_echo)
{
    const std::string at = server.address().substr(server.address().find(':'));
    expect(run_call(with_certificate({"https://localhost" + at + "/rpc", "add", "2", "40"})), 0, "42\n", "");
    expect(run_call(with_certificate({"wss://localhost" + at + "/ws", "add", "2", "40"})), 0, "42\n", "");
    BOOST_TEST(run_call({"https://localhost" + at + "/rpc", "add", "2", "40", "--tls-ca", files.trusted_ca()}).code ==
               3);
}

BOOST_FIXTURE_TEST_CASE(a_certificate_is_shown_by_tls_without_http, secure_echo)
{
    expect(run_call(with_certificate({"add", "2", "40", "--tls", server.address()})), 0, "42\n", "");
    const outcome nobody = run_call({"add", "2", "40", "--tls", server.address(), "--tls-ca", files.trusted_ca()});
    BOOST_TEST(nobody.code == 3);
    BOOST_TEST(nobody.out == "");
    const outcome stranger = run_call({"add", "2", "40", "--tls", server.address(), "--tls-ca", files.unknown_ca()});
    BOOST_TEST(stranger.code == 3);
    BOOST_TEST(contains(stranger.err, "certificate"), stranger.err);
}

BOOST_FIXTURE_TEST_CASE(a_caller_is_known_by_its_token_or_its_certificate, secure_echo)
{
    partyline::test::access_fixture access;
    access.write(R"({"tokens":[)" + access.entry(access.bob, "bob") +
                 R"(],"certificates":[{"subject":"CN=alice","principal":"alice"}],"rules":[)"
                 R"({"methods":["add"],"principals":["alice"]},{"methods":["echo"],"principals":["bob"]}]})");
    const listening_echo asking("--listen", "127.0.0.1:0",
                                {"--tls-certificate", own.certificate_file, "--tls-key", own.key_file,
                                 "--tls-client-ca", files.trusted_ca(), "--access", access.path()});
    const std::string at = asking.address().substr(asking.address().find(':'));
    const words ways[] = {
        {"https://localhost" + at + "/rpc"}, {"wss://localhost" + at + "/ws"}, {"--tls", asking.address()}};
    for (words way : ways) {
        words other = way;
        way.insert(way.end(), {"add", "2", "40"});
        expect(run_call(with_certificate(way)), 0, "42\n", "");
        other.insert(other.end(), {"echo", "1"});
        expect(run_call(with_certificate(other)), 1, "", "error -32601: Method not found: \"echo\"\n");
    }
    const std::string file = access.in("token");
    std::ofstream(file) << access.bob.token;
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
    for (const char* const url : {"https://localhost", "wss://localhost"}) {
        const std::string path = url[0] == 'h' ? "/rpc" : "/ws"; // a token comes before the certificate
        expect(run_call(with_certificate({url + at + path, "echo", "[1]", "--token-file", file})), 0, "[1]\n", "");
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_certificate_is_told_before_anything_is_sent)
{
    const outcome run =
        run_call({"x", "--tls", "127.0.0.1:1", "--client-certificate", "/no/such", "--client-key", "/no"});
    BOOST_TEST(run.code == 2);
    BOOST_TEST(contains(run.err, "/no/such"), run.err);
    const outcome half = run_call({"x", "--tls", "127.0.0.1:1", "--client-certificate", "/no/such"});
    BOOST_TEST(half.code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
