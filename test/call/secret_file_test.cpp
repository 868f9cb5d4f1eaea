// The file of a Bearer token: what is taken from it, and to whom the token is sent.

#include "refusal.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <call/options.hpp>
#include <command_line/secret_file.hpp>
#include <sys/stat.h>
#include <unistd.h>

using call::read_command_line;
using command_line::read_token;
using partyline::test::contains;
using partyline::test::scratch_directory;
using words = std::vector<std::string>;

namespace {

const std::string token = "a.b-c_d~e+f/0123456789==";

struct token_file {
    scratch_directory scratch;
    std::string path = (scratch / "token").string();

    explicit token_file(const std::string& text = token + '\n', mode_t mode = 0600)
    {
        std::ofstream(path) << text;
        ::chmod(path.c_str(), mode);
    }
};

std::string folder_of(const token_file& one)
{
    return std::filesystem::path(one.path).parent_path().string();
}

std::string refusal(const std::string& path)
{
    return call::test::refusal_of([&] { read_token(path); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(token_files)

BOOST_AUTO_TEST_CASE(the_first_line_is_the_token)
{
    for (const std::string& text : {token, token + '\n', token + "\r\n", token + "\nsomething else \xff\n"})
        BOOST_TEST(read_token(token_file(text).path) == token);
    BOOST_TEST(read_token(token_file(token, 0400).path) == token);
    const std::string longest(8192, 'x');
    BOOST_TEST(read_token(token_file(longest + '\n').path) == longest);
}

BOOST_AUTO_TEST_CASE(a_file_that_others_may_read_is_refused)
{
    for (const mode_t mode : {0640, 0604, 0660, 0610, 0601, 0666}) {
        const token_file file(token, mode);
        BOOST_TEST(refusal(file.path) ==
                   "the token file " + file.path + ": others may read or write it: chmod 600 " + file.path);
    }
}

// systemd hands over files that are root's, with an ACL for the user of the service, which shows as a right of the
// group.
BOOST_AUTO_TEST_CASE(a_credential_of_the_service_manager_may_have_rights_of_the_group)
{
    const token_file handed_over(token, 0440), written_to(token, 0460), elsewhere(token, 0440);
    ::setenv("CREDENTIALS_DIRECTORY", folder_of(handed_over).c_str(), 1);
    const std::string as_root = refusal(handed_over.path), of_others = refusal(elsewhere.path);
    ::setenv("CREDENTIALS_DIRECTORY", folder_of(written_to).c_str(), 1);
    const std::string may_be_written = refusal(written_to.path);
    ::unsetenv("CREDENTIALS_DIRECTORY");
    BOOST_TEST(as_root.empty() == (::geteuid() == 0));
    BOOST_TEST(contains(of_others, "others may read"));
    BOOST_TEST(contains(may_be_written, "others may read"));
}

// rule: security.access.tokens
BOOST_AUTO_TEST_CASE(what_holds_no_token_is_refused_without_showing_it)
{
    const std::pair<std::string, const char*> rows[] = {
        {"", "its first line is empty"},
        {"\nsecret", "its first line is empty"},
        {"Bearer secret", "its first line is no Bearer token: character 7 is none of A-Z a-z 0-9 - . _ ~ + / ="},
        {"secret\r\r\n", "character 7"},
        {std::string("secret\0", 7), "character 7"},
        {std::string(8193, 's') + '\n', "its first line is longer than 8192 characters"},
    };
    for (const auto& [text, said] : rows) {
        const std::string refused = refusal(token_file(text).path);
        BOOST_TEST(contains(refused, said), refused);
        BOOST_TEST(!contains(refused, "secret"), refused);
    }
    const scratch_directory none;
    BOOST_TEST(contains(refusal((none / "no").string()), "No such file"));
    BOOST_TEST(contains(refusal(none / "."), "it is no file"));
}

BOOST_AUTO_TEST_CASE(a_token_goes_in_the_clear_to_this_machine_alone)
{
    const token_file file;
    const auto fields_of = [&](words given) {
        given.insert(given.end(), {"x", "--token-file", file.path});
        return read_command_line(given).server.network.fields;
    };
    const std::vector<std::pair<std::string, std::string>> expected{{"Authorization", "Bearer " + token}};
    for (const char* const url : {"https://example.org/rpc", "wss://example.org/ws", "http://localhost:1/rpc",
                                  "http://127.0.0.1:1/rpc", "ws://[::1]:1/ws", "HTTP://LOCALHOST/rpc"})
        BOOST_TEST((fields_of({url}) == expected), url);
    BOOST_TEST((fields_of({"http://example.org/rpc", "--allow-plain-token"}) == expected));
    BOOST_TEST((fields_of({"https://example.org/rpc", "--proxy", "proxy:1"}) == expected));

    const words refused[] = {{"http://example.org/rpc"},
                             {"ws://10.0.0.7/ws"},
                             {"http://localhost.example.org/rpc"},
                             {"http://127.0.0.1.example.org/rpc"},
                             {"http://localhost@example.org/rpc"},
                             {"http://localhost:secret@example.org/rpc"},
                             {"http://[::1].example.org/rpc"},
                             {"http://[::1"},
                             {"http://localhost/rpc", "--proxy", "proxy:1"}};
    for (const words& given : refused) {
        const std::string said = call::test::refusal_of([&] { fields_of(given); });
        BOOST_TEST(contains(said, "the token would travel in the clear to "), said);
        BOOST_TEST(!contains(said, "secret"), said);
        BOOST_TEST(contains(said, "--allow-plain-token"), said);
    }
}

BOOST_AUTO_TEST_SUITE_END()
