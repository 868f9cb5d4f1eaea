// What the gateway does for those who write access files.

#include "support/access_fixture.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <partyline/access/sign_calls.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <sstream>
#include <string>
#include <vector>

#include <gateway/access_commands.hpp>

using partyline::test::access_fixture;
using partyline::test::contains;
using partyline::test::server_process;
namespace json = boost::json;

namespace {

struct rules_fixture : access_fixture {
    rules_fixture()
    {
        write(R"({"implies":{"files:write":["files:read"]},"rules":[
            {"methods":["echo"]},
            {"tools":["read_*"],"scopes":["files:read"]},
            {"tools":["delete_*"],"scopes":["files:write"],"principals":["alice","ops-*"]}]})");
    }

    std::string explained(int code, const gateway::explained_call& call) const
    {
        std::ostringstream out;
        gateway::explained_call of = call;
        of.access_file = path();
        BOOST_TEST(gateway::explain(of, out) == code);
        return out.str();
    }
};

struct program_run {
    int code;
    std::string out;
    std::string err;
};

program_run run_gateway(const std::vector<std::string>& words)
{
    server_process program(PARTYLINE_GATEWAY, words);
    program.close_input();
    std::string out = program.output().read_rest();
    const int code = program.wait_exit();
    return {code, std::move(out), program.errors()};
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(access_commands, rules_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_call_is_explained_by_the_rule_that_decides)
{
    BOOST_TEST(explained(0, {"anyone", "echo"}) == "allowed: rules[0]\n");
    BOOST_TEST(explained(0, {"bob files:read", "tools/call", "read_file"}) == "allowed: rules[1]\n");
    BOOST_TEST(explained(0, {"alice files:write", "tools/call", "delete_x"}) == "allowed: rules[2]\n");
    BOOST_TEST(explained(1, {"alice files:read", "tools/call", "delete_x"}) == "lacks scope files:write: rules[2]\n");
    BOOST_TEST(contains(explained(1, {"bob files:write", "tools/call", "delete_x"}), "hidden"));
    BOOST_TEST(contains(explained(1, {"bob", "shut_down"}), "hidden"));
}

BOOST_AUTO_TEST_CASE(a_call_is_explained_as_the_gateway_judges_it)
{
    write(R"({"rules":[{"resources":["file:///srv/*"]},{"prompts":["open*"]}]})");
    BOOST_TEST(explained(0, {"a", "resources/read", "file:///srv/x"}) == "allowed: rules[0]\n");
    BOOST_TEST(explained(0, {"a", "resources/read", "file:///srv/%78"}) == "allowed: rules[0]\n");
    const std::string unclear = "hidden: a server may take the URI for another one\n";
    BOOST_TEST(explained(1, {"a", "resources/read", "file:///srv/../x"}) == unclear);
    BOOST_TEST(explained(1, {"a", "resources/read", "file:///srv/%2e%2e/x"}) == unclear);
    for (const char* const method : {"resources/subscribe", "resources/unsubscribe", "subscriptions/listen"}) {
        BOOST_TEST(explained(0, {"a", method, "file:///srv/x"}) == "judged as resources/read: allowed: rules[0]\n");
        BOOST_TEST(explained(1, {"a", method, "file:///x"}) == "judged as resources/read: hidden: no rule fits\n");
        BOOST_TEST(explained(1, {"a", method, "file:///srv/../x"}) == "judged as resources/read: " + unclear);
        BOOST_TEST(explained(0, {"a", method}) == "allowed: every peer may call it\n");
    }
    BOOST_TEST(explained(0, {"a", "completion/complete", "open_x"}) == "judged as prompts/get: allowed: rules[1]\n");
    BOOST_TEST(explained(1, {"a", "completion/complete", "x"}) == "judged as prompts/get: hidden: no rule fits\n");
    BOOST_TEST(explained(0, {"a", "completion/complete", "file:///srv/{x}"}) ==
               "judged as resources/read: allowed: rules[0]\n");
    write("{}");
    BOOST_TEST(explained(0, {"a", "resources/read", "file:///srv/../x"}) == "allowed: the file has no rules\n");
}

BOOST_AUTO_TEST_CASE(scopes_are_given_in_any_order_and_with_what_they_imply)
{
    BOOST_TEST(explained(0, {" ops-1  z  files:write a ", "tools/call", "read_x"}) == "allowed: rules[1]\n");
    std::ostringstream out;
    BOOST_CHECK_THROW(gateway::explain({" ", "echo", {}, path()}, out), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_token_comes_with_its_entry)
{
    std::ostringstream out;
    BOOST_TEST(gateway::make_token_for("alice files:read build", out) == 0);
    std::istringstream lines(out.str());
    std::string token;
    std::string entry;
    std::getline(lines, token);
    std::getline(lines, entry);
    BOOST_TEST(token.size() == 43u);
    BOOST_TEST(!contains(entry, token));
    const json::object read = json::parse(entry).as_object();
    BOOST_TEST(read.at("principal") == "alice");
    BOOST_TEST((read.at("scopes") == json::array{"build", "files:read"}));
    write(R"({"tokens":[)" + entry + "]}");
    partyline::access::gate rules(path());
    const auto admitted = rules.authenticate({}, "Bearer " + token, std::chrono::system_clock::now());
    BOOST_TEST_REQUIRE(admitted.grant.get());
    BOOST_TEST(admitted.grant->peer->principal == "alice");

    std::ostringstream without_scopes;
    gateway::make_token_for("b\"ob", without_scopes);
    BOOST_TEST(contains(without_scopes.str(), R"("principal":"b\"ob"})"), without_scopes.str());
    BOOST_TEST(!contains(without_scopes.str(), token));
}

BOOST_AUTO_TEST_CASE(a_key_comes_with_its_entry)
{
    const program_run made = run_gateway({"--new-key", "agent-7 files:read"});
    BOOST_TEST(made.code == 0, made.err);
    const std::size_t end = made.out.find('\n');
    BOOST_TEST_REQUIRE(end != std::string::npos);
    const std::string key = made.out.substr(0, end);
    const json::object own = json::parse(key).as_object();
    const json::object entry = json::parse(made.out.substr(end + 1)).as_object();
    BOOST_TEST(own.at("kid") == "agent-7");
    BOOST_TEST(own.contains("d"));
    BOOST_TEST(entry.at("principal") == "agent-7");
    BOOST_TEST((entry.at("scopes") == json::array{"files:read"}));
    BOOST_TEST(entry.at("jwk").at("x") == own.at("x"));
    BOOST_TEST(!entry.at("jwk").as_object().contains("d"));
    BOOST_CHECK_NO_THROW(partyline::access::signing_key{key});
    write(R"({"anonymous":true,"signers":[)" + made.out.substr(end + 1) +
          R"(],"rules":[{"methods":["echo"],"proof":true}]})");
    BOOST_TEST(run_gateway({"--check-access", path()}).out == path() + " is valid\n");
    BOOST_TEST(explained(1, {"agent-7", "echo"}) == "needs a proof: rules[0]\n");

    BOOST_TEST(run_gateway({"--new-key", "anonymous"}).code == 2);
    BOOST_TEST(run_gateway({"--new-key", "a", "--new-token", "b"}).code == 2);
    BOOST_TEST(run_gateway({"--new-key", "agent-7"}).out != run_gateway({"--new-key", "agent-7"}).out);
}

BOOST_AUTO_TEST_CASE(an_entry_that_the_file_may_not_have_is_not_printed)
{
    for (const char* const caller : {"anonymous", "a\x01", "a b\"c", "a b\\"}) {
        std::ostringstream out;
        BOOST_CHECK_THROW(gateway::make_token_for(caller, out), std::runtime_error);
        BOOST_TEST(out.str().empty());
    }
    const program_run refused = run_gateway({"--new-token", "anonymous"});
    BOOST_TEST(refused.code == 2);
    BOOST_TEST(contains(refused.err, "tokens[0].principal: "), refused.err);
}

BOOST_AUTO_TEST_CASE(output_that_is_lost_is_told)
{
    server_process program("/bin/sh", {"-c", "exec \"$0\" --new-token ci >/dev/full", PARTYLINE_GATEWAY});
    program.close_input();
    BOOST_TEST(program.wait_exit() == 3);
    BOOST_TEST(contains(program.errors(), "standard output can't be written"), program.errors());
}

BOOST_AUTO_TEST_CASE(the_program_does_them_by_its_options)
{
    const program_run lacking =
        run_gateway({"--explain", "alice files:read", "tools/call", "delete_x", "--access", path()});
    BOOST_TEST(lacking.code == 1);
    BOOST_TEST(lacking.out == "lacks scope files:write: rules[2]\n");
    BOOST_TEST(lacking.err == "");
    const program_run fine = run_gateway({"--check-access", path()});
    BOOST_TEST(fine.code == 0);
    BOOST_TEST(fine.out == path() + " is valid\n");
    BOOST_TEST(run_gateway({"--new-token", "ci"}).out.find('\n') == 43u);

    write(R"({"rules":[{"tools":["a*b"]}]})");
    const program_run wrong = run_gateway({"--check-access", path()});
    BOOST_TEST(wrong.code == 2);
    BOOST_TEST(contains(wrong.err, "access.json: rules[0].tools[0]: "), wrong.err);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused)
{
    const std::pair<std::vector<std::string>, const char*> rows[] = {
        {{"--explain", "alice", "--access", path()}, "'--explain' takes a method"},
        {{"--explain", "alice", "a", "b", "c", "--access", path()}, "'--explain' takes a method"},
        {{"--explain", "alice", "echo"}, "'--explain' needs '--access'"},
        {{"--explain", "", "echo", "--access", path()}, "name the principal"},
        {{"--new-token", " "}, "name the principal"},
        {{"--new-token", "ci", "word"}, "unexpected argument 'word'"},
        {{"--new-token", "ci", "--", "word"}, "unexpected argument 'word'"},
        {{"--check-access", path(), "--", "word"}, "unexpected argument 'word'"},
        {{"--explain", "a", "echo", "--access", path(), "--", "word"}, "unexpected argument 'word'"},
        {{"--check-access", path(), "--new-token", "x", "--explain", "y"}, "'--new-token' does not go with "},
        {{"--check-access", path(), "--explain", "y", "m"}, "'--check-access' does not go with '--explain'"},
        {{"--check-access", path(), "--access", path()}, "'--check-access' does not go with '--access'"},
        {{"--check-access", "/no/such/file"}, "/no/such/file: No such file or directory"},
        {{"--stdio", "http://127.0.0.1:1/mcp", "--access", path()}, "'--access' needs '--listen' or '--http'"},
        {{"--http", "0", "--token-file", "f", "--", "cat"}, "--token-file goes with a server on the network"},
    };
    for (const auto& [given, said] : rows) {
        const program_run refused = run_gateway(given);
        BOOST_TEST(refused.code == 2);
        BOOST_TEST(contains(refused.err, said), refused.err);
    }
}

BOOST_AUTO_TEST_SUITE_END()
