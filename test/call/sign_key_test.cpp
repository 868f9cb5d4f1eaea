// --sign-key: what the file has to be, and the calls that are signed by it.

#include "call_program.hpp"
#include "refusal.hpp"
#include "support/access_fixture.hpp"
#include "support/text_search.hpp"

#include <partyline/access/sign_calls.hpp>

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <string>
#include <utility>

#include <call/options.hpp>
#include <sys/stat.h>

using namespace call::test;
using partyline::access::make_key;
using partyline::access::new_key;
using partyline::test::access_fixture;
using partyline::test::contains;

namespace {

struct signing_caller : access_fixture {
    signing_caller()
    {
        write(R"({"anonymous":true,"signers":[{"principal":"agent-7","jwk":)" + key.public_jwk +
              R"(}],"rules":[{"methods":["add"],"proof":true}]})");
        put(key.private_jwk + '\n');
    }
    void put(const std::string& text, mode_t mode = 0600) const
    {
        std::ofstream(file) << text;
        ::chmod(file.c_str(), mode);
    }
    std::string refusal() const
    {
        return call::test::refusal_of(
            [&] { call::read_command_line({"http://127.0.0.1:1/rpc", "x", "--sign-key", file}); });
    }
    words signing(words given) const
    {
        given.insert(given.end(), {"--sign-key", file});
        return given;
    }

    const new_key key = make_key("agent-7");
    const std::string file = in("agent-7.key");
};

const std::string unsigned_call = "error -31006: A proof of this call is needed: {\"reason\":\"missing\"}\n";

} // namespace

BOOST_FIXTURE_TEST_SUITE(sign_key, signing_caller, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(what_is_no_private_key_of_its_owners_is_refused_by_name_without_showing_it)
{
    const std::string expected =
        "a private key is expected, a JWK of Ed25519, P-256, P-384 or oct, or PEM without a password";
    const std::pair<std::string, std::string> rows[] = {
        {key.public_jwk, "this is a public key: " + expected},
        {"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
         "-----END PUBLIC KEY-----\n",
         "this is a public key: " + expected},
        {"", expected},
        {"secret words", expected},
        {R"({"kty":"oct","k":"c2VjcmV0"})", expected},
        {std::string(65537, 's'), "it is longer than 65536 bytes"},
    };
    for (const auto& [text, said] : rows) {
        put(text);
        BOOST_TEST(refusal() == "--sign-key " + file + ": " + said);
    }
    put(key.private_jwk, 0640);
    BOOST_TEST(refusal() == "--sign-key " + file + ": others may read or write it: chmod 600 " + file);
    ::unlink(file.c_str());
    BOOST_TEST(refusal() == "--sign-key " + file + ": No such file or directory");
}

BOOST_AUTO_TEST_CASE(calls_are_signed_by_the_key_in_the_file)
{
    const words server_options{"--access", path()};
    expect(run_call(with_echo(signing({"add", "a=2", "b=40"}), server_options)), 0, "42\n", "");
    const outcome refused = run_call(with_echo({"add", "a=2", "b=40"}, server_options));
    BOOST_TEST(refused.code == 1);
    BOOST_TEST(contains(refused.out + refused.err, unsigned_call), refused.err);
    put(make_key("agent-7").private_jwk);
    const outcome forged = run_call(with_echo(signing({"add", "a=2", "b=40"}), server_options));
    BOOST_TEST(contains(forged.out + forged.err, R"({"reason":"signature"})"), forged.err);
}

BOOST_AUTO_TEST_CASE(each_of_many_calls_is_signed)
{
    listening_echo server("--listen", "127.0.0.1:0", {"--access", path()});
    const std::string url = "http://" + server.address() + "/rpc";
    expect(run_call(signing({url, "add", "2", "40"})), 0, "42\n", ""); // an array
    const std::string call = R"({"method":"add","params":{"a":2,"b":40}})";
    const outcome run = run_call(signing({url, "--calls", "-"}), call + '\n' + call + '\n' + call + '\n');
    BOOST_TEST(run.code == 0, run.err);
    BOOST_TEST(contains(run.out, "42"), run.out);
    BOOST_TEST(!contains(run.out, "error"), run.out);
    const outcome batch = run_call(signing({url, "--calls", "-", "--batch"}), call + '\n' + call + '\n');
    BOOST_TEST(batch.code == 0, batch.err + batch.out);
}

BOOST_AUTO_TEST_SUITE_END()
