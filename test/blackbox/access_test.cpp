// --access: who is asked, who may call what, and what a signal changes.

#include "support/access_fixture.hpp"
#include "support/http_client.hpp"
#include "support/http_program.hpp"
#include "support/listening_server.hpp"
#include "support/server_process.hpp"
#include "support/socket_client.hpp"
#include "support/test_certificates.hpp"
#include "support/text_search.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

using namespace partyline::test;
using words = std::vector<std::string>;

namespace {

const std::string added_request = R"({"jsonrpc":"2.0","id":1,"method":"add","params":[2,40]})";
const std::string added_reply = R"({"jsonrpc":"2.0","id":1,"result":42})";
const std::string open_request = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})";

struct served_by_file : access_fixture {
    boost::asio::io_context context;

    // Alice may add, and bob whatever there is.
    void write_usual() const { write_tokens(entry(alice, "alice") + ',' + entry(bob, "bob", R"("all")")); }
    void write_tokens(const std::string& entries) const
    {
        write(R"({"tokens":[)" + entries + R"(],"rules":[{"methods":["add"]},{"methods":["*"],"scopes":["all"]}]})");
    }
    void write_user(std::string uid) const
    {
        write(R"({"users":[{"uid":)" + uid + R"(,"principal":"me"}],"rules":[{"methods":["add"]}]})");
    }
    static std::string own_uid() { return std::to_string(::geteuid()); }
    static std::string foreign_uid() { return std::to_string(::geteuid() + 1); }

    http_response ask(const http_program& program, const std::string& body, const std::string& fields = {})
    {
        return http_client(context, program.port()).ask("/rpc", body, fields);
    }
    words with_access(words given) const
    {
        given.insert(given.end(), {"--access", path()});
        return given;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(access_option, served_by_file, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(callers_over_http_are_known_by_their_tokens)
{
    write_usual();
    const http_program program(PARTYLINE_ECHO, with_access({"--listen", "127.0.0.1:0"}));
    BOOST_TEST(ask(program, added_request).status == 401);
    BOOST_TEST(ask(program, added_request, "Authorization: Bearer guessed\r\n").status == 401);
    BOOST_TEST(ask(program, added_request, field(alice)).body == added_reply);
    const http_response refused = ask(program, open_request, field(alice));
    BOOST_TEST(refused.status == 403);
    BOOST_TEST(contains(refused.body, R"("required":["all"])"), refused.body);
    BOOST_TEST(ask(program, open_request, field(bob)).status == 200);
}

// rule: security.access.file
BOOST_AUTO_TEST_CASE(a_wrong_file_ends_a_program_at_its_start)
{
    write(R"({"rules":[{"methods":[7]}]})");
    for (const words& given :
         {words{}, words{"--listen", "127.0.0.1:0"}, words{"--tcp", "127.0.0.1:0"}, words{"--unix", in("s")}}) {
        echo_server program(with_access(given));
        BOOST_TEST(program.wait_exit() == 2);
        BOOST_TEST(contains(program.errors(), "access.json: rules[0].methods[0]: "), program.errors());
    }
}

BOOST_AUTO_TEST_CASE(a_signal_has_the_file_read_again)
{
    write_usual();
    http_program program(PARTYLINE_ECHO, with_access({"--listen", "127.0.0.1:0"}));
    BOOST_TEST(ask(program, added_request, field(alice)).status == 200);
    write_tokens(entry(bob, "bob"));
    program.process().signal(SIGHUP);
    BOOST_TEST(program.errors().read_line().value_or("") == "partyline-echo: the access file was read again");
    BOOST_TEST(ask(program, added_request, field(alice)).status == 401);
    BOOST_TEST(ask(program, added_request, field(bob)).status == 200);
    BOOST_TEST(ask(program, open_request, field(bob)).status == 403); // without its scope
}

BOOST_AUTO_TEST_CASE(a_signal_has_the_certificates_and_the_file_read_again)
{
    write_usual();
    const test_certificates files;
    const partyline::tls::certificate_files own = files.make_local();
    http_program program(PARTYLINE_ECHO, with_access({"--listen", "127.0.0.1:0", "--tls-certificate",
                                                      own.certificate_file, "--tls-key", own.key_file}));
    write("{");
    program.process().signal(SIGHUP);
    BOOST_TEST(program.errors().read_line().value_or("") == "partyline-echo: the certificates were read again");
    BOOST_TEST(contains(program.errors().read_line().value_or(""), "the access file stays as it was: "));
    write_usual();
    std::filesystem::resize_file(own.certificate_file, 0);
    program.process().signal(SIGHUP);
    BOOST_TEST(contains(program.errors().read_line().value_or(""), "the certificates stay as they are: "));
    BOOST_TEST(program.errors().read_line().value_or("") == "partyline-echo: the access file was read again");
}

// rule: security.access.file
BOOST_AUTO_TEST_CASE(a_file_that_is_wrong_when_it_is_read_again_changes_nothing)
{
    write_usual();
    http_program program(PARTYLINE_ECHO, with_access({"--listen", "127.0.0.1:0"}));
    for (const char* const wrong : {"", "{", R"({"tokens":[{"sha256":"7"}]})", R"({"rule":[]})"}) {
        write(wrong);
        program.process().signal(SIGHUP);
        const std::string said = program.errors().read_line().value_or("");
        BOOST_TEST(contains(said, "partyline-echo: the access file stays as it was: " + path() + ": "), said);
        BOOST_TEST(ask(program, added_request, field(alice)).status == 200);
        BOOST_TEST(ask(program, added_request).status == 401);
    }
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(a_signal_to_a_server_on_sockets_does_the_same)
{
    const auto write_own = [this](const std::string& users) {
        write(R"({"users":[)" + users + R"(],"rules":[{"methods":["echo"]}]})");
    };
    write_own(R"({"uid":)" + own_uid() + R"(,"principal":"me"})");
    listening_server program(with_access({}));
    write("{");
    program.child().signal(SIGHUP);
    BOOST_TEST(contains(program.errors().read_line().value_or(""), "the access file stays as it was: " + path()));
    program.unix_client().expect_service();
    write_own("");
    socket_client mine = program.unix_client();
    mine.expect_service();
    program.child().signal(SIGHUP);
    BOOST_TEST(contains(program.errors().read_line().value_or(""), "the access file was read again"));
    mine.expect_end(); // nobody knows it any more
    program.child().signal(SIGTERM);
    BOOST_TEST(program.wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(callers_on_unix_sockets_are_known_by_their_users)
{
    write_user(own_uid());
    const listening_server program(with_access({}));
    socket_client mine = program.unix_client();
    mine.send(added_request + '\n');
    mine.expect(added_reply);
    mine.send(open_request + '\n');
    BOOST_TEST(contains(mine.read_line(), "-32601"));
    socket_client nobody = program.tcp_client(); // TCP says nothing of a user
    nobody.expect_end();
}

BOOST_AUTO_TEST_CASE(on_standard_input_and_output_the_user_of_the_process_calls)
{
    write_user(own_uid());
    echo_server mine(with_access({}));
    mine.send(added_request);
    mine.expect(added_reply);
    mine.send(open_request);
    BOOST_TEST(contains(mine.read_line(), "-32601"));

    write_user(foreign_uid());
    echo_server other(with_access({}));
    BOOST_TEST(other.wait_exit() == 2);
    BOOST_TEST(other.errors() != "");
}

BOOST_AUTO_TEST_CASE(a_public_address_takes_authentication_and_encryption)
{
    write_usual();
    echo_server without({"--listen", "0.0.0.0:0"});
    BOOST_TEST(without.wait_exit() == 2);
    BOOST_TEST(contains(without.errors(), "whoever connects may call: --access"), without.errors());
    echo_server in_the_clear(with_access({"--listen", "0.0.0.0:0"}));
    BOOST_TEST(in_the_clear.wait_exit() == 2);
    BOOST_TEST(contains(in_the_clear.errors(), "tokens would travel in the clear: --tls-only, or --allow-any-address "
                                               "where something in front encrypts"),
               in_the_clear.errors());

    http_program lifted(PARTYLINE_ECHO, {"--listen", "0.0.0.0:0", "--allow-any-address"});
    BOOST_TEST(lifted.errors().read_line().value_or("") ==
               "partyline-echo: --allow-any-address: 0.0.0.0 is no loopback address, and whoever connects may call "
               "unless something in front authenticates");
    http_program plain(PARTYLINE_ECHO, with_access({"--listen", "0.0.0.0:0", "--allow-any-address"}));
    BOOST_TEST(plain.errors().read_line().value_or("") ==
               "partyline-echo: --allow-any-address: 0.0.0.0 is no loopback address, and tokens travel in the clear "
               "unless something in front encrypts");
}

BOOST_AUTO_TEST_CASE(an_inherited_socket_that_anybody_reaches_is_told_of)
{
    const std::string start =
        "import os,socket,sys;s=socket.socket();s.bind(('0.0.0.0',0));s.listen();os.dup2(os.dup(s.fileno()),3);"
        "print('listening on 127.0.0.1:%d'%s.getsockname()[1],file=sys.stderr,flush=True);"
        "os.environ.update(LISTEN_PID=str(os.getpid()),LISTEN_FDS='1');os.execv(sys.argv[1],sys.argv[1:])";
    http_program program("/usr/bin/env",
                         {"python3", "-c", start, PARTYLINE_ECHO, "--http-inherited", "--allow-any-address"});
    BOOST_TEST(program.errors().read_line().value_or("") == "listening on 1 inherited sockets, http");
    BOOST_TEST(program.errors().read_line().value_or("") ==
               "partyline-echo: --allow-any-address: 0.0.0.0 is no loopback address, and whoever connects may call "
               "unless something in front authenticates");
}

BOOST_AUTO_TEST_CASE(a_demonstration_asks_nobody)
{
    write_usual();
    echo_server program(with_access({"--demo"}));
    BOOST_TEST(program.wait_exit() == 2);
    BOOST_TEST(contains(program.errors(), "'--demo' and '--access' exclude each other"), program.errors());
}

BOOST_AUTO_TEST_SUITE_END()
