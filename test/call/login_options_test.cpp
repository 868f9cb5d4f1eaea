// What the command line says of logins, and the files of secrets that it names.

#include "refusal.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <call/options.hpp>
#include <command_line/secret_file.hpp>
#include <sys/stat.h>

using partyline::test::contains;
using partyline::test::scratch_directory;
using words = std::vector<std::string>;

namespace {

struct login_fixture {
    scratch_directory scratch;
    std::string file = (scratch / "secret").string();

    login_fixture()
    {
        put("of a client\n");
        ::setenv("XDG_STATE_HOME", "/nowhere", 1);
    }
    void put(const std::string& text, mode_t mode = 0600)
    {
        std::ofstream(file) << text;
        ::chmod(file.c_str(), mode);
    }
    static auto login_of(words given)
    {
        given.insert(given.begin(), {"https://example.org/mcp", "x"});
        return call::read_command_line(given).server.login;
    }
    static std::string refusal(words given)
    {
        return call::test::refusal_of([&] { call::read_command_line(given); });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(login_options, login_fixture)

BOOST_AUTO_TEST_CASE(a_person_or_a_program_logs_in)
{
    BOOST_TEST(!login_of({}));
    const auto person = login_of({"--login", "--scope", "a  b", "--redirect-port", "8765"});
    BOOST_TEST_REQUIRE(person.has_value());
    BOOST_TEST(person->is_by_person);
    BOOST_TEST(person->folder == "/nowhere");
    BOOST_TEST(person->how.scopes == (words{"a", "b"}), boost::test_tools::per_element());
    BOOST_TEST(person->how.redirect_port == 8765u);
    const auto program =
        login_of({"--client-id", "ci", "--client-secret-file", file, "--issuer", "https://as.example"});
    BOOST_TEST_REQUIRE(program.has_value());
    BOOST_TEST(!program->is_by_person);
    BOOST_TEST(program->folder == "");
    BOOST_TEST(program->how.client_id == "ci");
    BOOST_TEST(program->how.client_secret == "of a client");
    BOOST_TEST(program->how.issuer == "https://as.example");
}

BOOST_AUTO_TEST_CASE(what_contradicts_itself_is_refused)
{
    const std::string url = "https://example.org/mcp";
    const std::pair<words, std::string> rows[] = {
        {{"x", "--login", "--", "server"}, "go with a server on the network"},
        {{"x", "--tls", "example.org:1", "--login"}, "go with a server on the network"},
        {{"http://example.org/mcp", "x", "--login"}, "https, or to loopback"},
        {{"http://localhost/mcp", "x", "--login", "--proxy", "p:1"}, "a proxy to http://"},
        {{url, "x", "--login", "--header", "authorization: Bearer x"}, "exclude --header Authorization"},
        {{url, "x", "--client-id", "a"}, "--client-id goes with --login"},
        {{url, "x", "--scope", "a"}, "--scope goes with --login"},
        {{url, "x", "--client-secret-file", file}, "a client secret belongs to a client id"},
        {{url, "x", "--login", "--client-id", "a", "--client-metadata", "https://b/c"}, "exclude each other"},
        {{url, "x", "--client-id", "a", "--client-secret-file", file, "--client-jwt-key", file}, "exclude each other"},
        {{url, "x", "--client-id", "a", "--client-jwt-key", file}, "key"},
        {{url, "x", "--client-id", "a", "--client-secret-file", file, "--redirect-port", "1"}, "goes with --login"},
        {{url, "x", "--login", "--redirect-port", "65536"}, "expected 1 to 65535"},
    };
    for (const auto& [given, said] : rows) {
        const std::string refused = refusal(given);
        BOOST_TEST(contains(refused, said), refused);
        BOOST_TEST(!contains(refused, "of a client\n"), refused);
    }
}

BOOST_AUTO_TEST_CASE(files_of_secrets_are_for_their_owner_alone)
{
    put("of a client\r\nmore");
    BOOST_TEST(command_line::read_secret(file) == "of a client");
    BOOST_TEST(command_line::read_key(file) == "of a client\r\nmore");
    const auto refused = [&](auto read) { return call::test::refusal_of([&] { read(file); }); };
    put("secret", 0640);
    BOOST_TEST(contains(refused(&command_line::read_secret), "chmod 600"));
    BOOST_TEST(contains(refused(&command_line::read_key), "chmod 600"));
    for (const std::string& wrong : {std::string(), std::string("\nsecret"), std::string("secr\xc3\xa9t"),
                                     std::string("sec\tret"), std::string(8193, 's')}) {
        put(wrong);
        BOOST_TEST(contains(refused(&command_line::read_secret), "its first line"));
        BOOST_TEST(!contains(refused(&command_line::read_secret), "secr\xc3"));
    }
    put(std::string(65537, 'k'));
    BOOST_TEST(contains(refused(&command_line::read_key), "longer than 65536 bytes"));
}

BOOST_AUTO_TEST_SUITE_END()
