#include "access/file/access_file.hpp"
#include "access/file/place.hpp"
#include "gate_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline::access;

namespace {

constexpr const char* of_abc = R"("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")"; // of "abc"

std::string error_of(const std::string& text)
{
    try {
        parse_access_file(text, {});
    } catch (const file_error& failed) {
        return failed.what();
    }
    return "none";
}

std::string issuer_text(const std::string& name, const std::string& more)
{
    return R"({"issuer": "https://)" + name +
           R"(.example.org", "audiences": ["x"], "jwks_uri": "https://as.example.org/k")" + more + "}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(access_file_suite)

BOOST_AUTO_TEST_CASE(every_member_is_read)
{
    const access_file file = parse_access_file(std::string(R"({
      "//": "who may call what", "resource": "https://rpc.example.org/mcp", "anonymous": true,
      "issuers": [ { "//": 1, "issuer": "https://as.example.org", "audiences": ["https://rpc.example.org/mcp"],
                     "jwks_uri": "https://as.example.org/keys", "principal": "upn", "scopes": "scp", "prefix": "as:",
                     "allow_private": true } ],
      "tokens": [ { "sha256": )") + of_abc + R"(, "principal": "ci", "scopes": ["b", "a", "b"],
                    "until": "2027-01-01T00:00:00Z" } ],
      "certificates": [ { "subject": "CN=agent-7,O=Example", "principal": "agent-7", "scopes": ["files:read"] } ],
      "users": [ { "uid": 1000, "principal": "local" } ],
      "signers": [ { "principal": "agent-7", "scopes": ["b"], "until": "2027-01-01T00:00:00Z",
                     "jwk": { "kty": "oct", "kid": "key-1", "k": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE" } },
                   { "principal": "agent-8",
                     "jwk": { "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" } } ],
      "implies": { "//": "and", "files:write": ["files:read"] },
      "rules": [ { "methods": ["echo"], "tools": ["read_*", "*"], "prompts": ["p"], "resources": ["file:///srv/*"],
                   "scopes": ["files:read"], "principals": ["alice", "ops-*"], "proof": true } ],
      "limits": [ { "principals": ["*"], "requests_per_second": 0.5, "at_once": 64 },
                  { "requests_per_second": 99.5, "burst": 7 } ] })",
                                               {});
    BOOST_TEST(file.resource == "https://rpc.example.org/mcp");
    BOOST_TEST(file.anonymous);
    BOOST_TEST_REQUIRE(file.issuers.size() == 1u);
    const issuer_settings& first = file.issuers[0].settings;
    BOOST_TEST(first.claims.issuer == "https://as.example.org");
    BOOST_TEST(first.claims.audiences[0] == "https://rpc.example.org/mcp");
    BOOST_TEST(first.claims.principal == "upn");
    BOOST_TEST(first.claims.scopes == "scp");
    BOOST_TEST(first.claims.prefix == "as:");
    BOOST_TEST(first.jwks.url == "https://as.example.org/keys");
    BOOST_TEST(first.jwks.allow_private);
    BOOST_TEST_REQUIRE(file.tokens.size() == 1u);
    BOOST_TEST((file.tokens[0].sha256 == digest_of("abc")));
    BOOST_TEST((file.tokens[0].peer.scopes == std::vector<std::string>{"a", "b"}));
    BOOST_TEST((file.tokens[0].peer.until == std::chrono::sys_days(std::chrono::year(2027) / 1 / 1)));
    BOOST_TEST(file.certificates.at(0).subject == "CN=agent-7,O=Example");
    BOOST_TEST(file.users.at(0).uid == 1000u);
    BOOST_TEST(file.implies.at("files:write").at(0) == "files:read");
    const rule& only = file.rules.value().at(0);
    BOOST_TEST((only.tools == std::vector<name_pattern>{{"read_", true}, {"", true}}));
    BOOST_TEST((only.principals == std::vector<name_pattern>{{"alice", false}, {"ops-", true}}));
    BOOST_TEST(file.limits.at(0).limits.burst == 1u);
    BOOST_TEST(file.limits.at(0).limits.at_once == 64u);
    BOOST_TEST(file.limits.at(1).limits.burst == 7u);
}

BOOST_AUTO_TEST_CASE(an_empty_object_names_nobody_and_forbids_nothing)
{
    const access_file file = parse_access_file(" {}\n", {});
    BOOST_TEST(!file.anonymous);
    BOOST_TEST(!file.rules);
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_told_by_line_and_column)
{
    BOOST_TEST(error_of("") == "it is empty");
    BOOST_TEST(error_of(" \n ") == "it is empty");
    BOOST_TEST(error_of("{\n \"rules\": [,]}") == "line 2, column 12: expected a value");
    BOOST_TEST(error_of("{\"rules\": []") == "line 1, column 13: unexpected end");
    BOOST_TEST(error_of("{} {}") == "line 1, column 4: expected nothing more");
    BOOST_TEST(error_of("{\"//\": \"\xff\"}").starts_with("line 1, column 9: "));
    BOOST_TEST(error_of(R"({"//": "\ud800"})").starts_with("line 1, column "));
    BOOST_TEST(error_of(R"({"//": )" + std::string(20, '[')) == "line 1, column 23: nested too deep");
    BOOST_TEST(error_of(std::string("{}\0", 3)) == "line 1, column 3: expected nothing more");
    BOOST_TEST(error_of("\xef\xbb\xbf{}") == "line 1, column 1: expected a value");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_told_with_its_place)
{
    const struct {
        std::string text;
        std::string error;
    } rows[] = {
        {"[]", "an object is expected"},
        {"1", "an object is expected"},
        {R"({"rule": []})",
         "rule: there is no such member; known are resource, anonymous, issuers, tokens, certificates, "
         "users, signers, implies, rules, limits"},
        {R"({"a b": 1})",
         "[\"a b\"]: there is no such member; known are resource, anonymous, issuers, tokens, certificates, "
         "users, signers, implies, rules, limits"},
        {R"({"rules": [], "rules": []})", "rules: this name is there twice"},
        {R"({"rules": [], "r\u0075les": []})", "rules: this name is there twice"},
        {R"({"rules": [{}, {"tools": ["a"], "tools": ["b"]}]})", "rules[1].tools: this name is there twice"},
        {R"({"//": {"a": 1, "a": 2}})", "[\"//\"].a: this name is there twice"},
        {R"({"signers": 1})", "signers: an array is expected"},
        {R"({"signers": [{"principal": "a"}]})", "signers[0]: either jwk or key_file is needed"},
        {R"({"signers": [{"principal": "a", "jwk": {}, "key_file": "k"}]})",
         "signers[0]: either jwk or key_file is needed"},
        {R"({"signers": [{"jwk": {}}]})", "signers[0]: principal is missing"},
        {R"({"signers": [{"principal": "a", "jwk": {"kty": "oct", "k": "c2hvcnQ"}}]})",
         "signers[0].jwk: a JWK is expected: RSA of 2048 to 8192 bits, P-256, P-384, Ed25519, or oct of at least 32 bytes"},
        {R"({"signers": [{"principal": "a", "jwk": {"kty": "OKP", "crv": "Ed25519", "d": "x"}}]})",
         "signers[0].jwk: this is a private key, which belongs to its signer alone: leave out \"d\""},
        {R"({"signers": [{"principal": "a", "key_file": "/nowhere/key"}]})",
         "signers[0].key_file: /nowhere/key: No such file or directory"},
        {R"({"resource": "ftp://x"})",
         "resource: an https URL is expected, or an http one of localhost, without a fragment"},
        {R"({"resource": "http://example.org/"})",
         "resource: an https URL is expected, or an http one of localhost, without a fragment"},
        {R"({"resource": "http://localhost.example.org/"})",
         "resource: an https URL is expected, or an http one of localhost, without a fragment"},
        {R"({"resource": "https://x\"y"})",
         "resource: an https URL is expected, or an http one of localhost, without a fragment"},
        {R"({"resource": "https://x#y"})",
         "resource: an https URL is expected, or an http one of localhost, without a fragment"},
        {R"({"resource": 1})", "resource: a string is expected"},
        {R"({"anonymous": "yes"})", "anonymous: true or false is expected"},
        {R"({"anonymous": true})", "anonymous: rules are needed, which name what anonymous peers may call"},
        {R"({"anonymous": true, "rules": []})", "none"},
        {R"({"tokens": {}})", "tokens: an array is expected"},
        {R"({"tokens": [{}]})", "tokens[0]: sha256 is missing"},
        {R"({"tokens": [{"sha256": "ab", "principal": "x"}]})",
         "tokens[0].sha256: the SHA-256 of a token is expected, in 64 hexadecimal digits"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + "}]}", "tokens[0]: principal is missing"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + R"(, "principal": ""}]})",
         "tokens[0].principal: it is empty"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + R"(, "principal": "a\nb"}]})",
         "tokens[0].principal: a principal has at most 256 bytes, and no control characters"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + R"(, "principal": ")" + std::string(257, 'a') + "\"}]}",
         "tokens[0].principal: a principal has at most 256 bytes, and no control characters"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + R"(, "principal": "anonymous"}]})",
         "tokens[0].principal: this is the principal of who shows nothing"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + R"(, "principal": "x", "scopes": ["a b"]}]})",
         "tokens[0].scopes[0]: a scope has at most 256 characters of ASCII, and no space, quote or backslash"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + R"(, "principal": "x", "until": "tomorrow"}]})",
         "tokens[0].until: a time is expected, such as 2027-01-01T00:00:00Z"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + R"(, "principal": "x"}, {"sha256": )" + of_abc +
             R"(, "principal": "y"}]})",
         "tokens[1].sha256: it is that of tokens[0], too"},
        {std::string(R"({"tokens": [{"sha256": )") + of_abc + R"(, "principal": "x", "scope": []}]})",
         "tokens[0].scope: there is no such member; known are sha256, principal, scopes, until"},
        {R"({"certificates": [{"subject": "CN=a", "principal": "a"}, {"subject": "CN=a", "principal": "b"}]})",
         "certificates[1].subject: it is that of certificates[0], too"},
        {R"({"users": [{"uid": -1, "principal": "a"}]})",
         "users[0].uid: a whole number from 0 to 4294967294 is expected"},
        {R"({"users": [{"uid": 4294967295, "principal": "a"}]})",
         "users[0].uid: a whole number from 0 to 4294967294 is expected"},
        {R"({"users": [{"uid": 1.5, "principal": "a"}]})",
         "users[0].uid: a whole number from 0 to 4294967294 is expected"},
        {R"({"users": [{"uid": 1, "principal": "a"}, {"uid": 2, "principal": "a"}, {"uid": 1, "principal": "b"}]})",
         "users[2].uid: it is that of users[0], too"},
        {R"({"implies": []})", "implies: an object is expected"},
        {R"({"implies": {"a b": []}})",
         "implies[\"a b\"]: a scope has at most 256 characters of ASCII, and no space, quote or backslash"},
        {R"({"implies": {"files:write": "files:read"}})", "implies[\"files:write\"]: an array is expected"},
        {R"({"rules": [{}]})", "rules[0]: it names no methods, tools, prompts or resources"},
        {R"({"rules": [{"scopes": ["a"]}]})", "rules[0]: it names no methods, tools, prompts or resources"},
        {R"({"rules": [{"tools": []}]})", "rules[0].tools: it names nothing"},
        {R"({"rules": [{"tools": [""]}]})", "rules[0].tools[0]: it is empty"},
        {R"({"rules": [{"tools": ["a", "a*b"]}]})",
         "rules[0].tools[1]: * stands for the rest of a name, so it can only be its last character"},
        {R"({"rules": [{"tools": ["**"]}]})",
         "rules[0].tools[0]: * stands for the rest of a name, so it can only be its last character"},
        {R"({"rules": [{"tools": ["a"], "principals": []}]})", "rules[0].principals: it names nothing"},
        {R"({"rules": [{"tools": ["a"], "proof": 1}]})", "rules[0].proof: true or false is expected"},
        {R"({"rules": [{"tools": ["b"]}, {"tools": ["a"], "proof": true}]})",
         "rules[1].proof: nobody can sign: there are no signers"},
        {R"({"rules": [{"tools": ["a"], "principals": ["anonymous"], "proof": true}]})",
         "rules[0].proof: who has signed is not anonymous"},
        {R"({"rules": [{"tools": ["a"], "deny": true}]})",
         "rules[0].deny: there is no such member; known are methods, tools, prompts, resources, scopes, principals, "
         "proof"},
        {R"({"rules": [{"tools": ["a"]}, {"tools": "a"}]})", "rules[1].tools: an array is expected"},
        {R"({"limits": [{}]})", "limits[0]: neither requests_per_second nor at_once is there"},
        {R"({"limits": [{"requests_per_second": 0}]})",
         "limits[0].requests_per_second: a number above 0, up to 1000000, is expected"},
        {R"({"limits": [{"requests_per_second": 1e9}]})",
         "limits[0].requests_per_second: a number above 0, up to 1000000, is expected"},
        {R"({"limits": [{"at_once": 1, "burst": 1}]})", "limits[0].burst: it is only for use with requests_per_second"},
        {R"({"limits": [{"at_once": 0}]})", "limits[0].at_once: a whole number from 1 to 1000000 is expected"},
        {R"({"issuers": [{"issuer": "x"}]})",
         "issuers[0].issuer: an https URL is expected, or an http one of localhost, without a fragment"},
        {R"({"issuers": [{"issuer": "https://x"}]})", "issuers[0]: audiences is missing"},
        {R"({"issuers": [{"issuer": "https://x", "audiences": []}]})", "issuers[0].audiences: it names nothing"},
        {R"({"issuers": [{"issuer": "https://x", "audiences": ["y"]}]})",
         "issuers[0]: either jwks_uri or jwks_file is needed"},
        {R"({"issuers": [)" + issuer_text("a", R"(, "jwks_file": "k")") + "]}",
         "issuers[0]: either jwks_uri or jwks_file is needed"},
        {R"({"issuers": [{"issuer": "https://x", "audiences": ["y"], "jwks_uri": "http://[::1]:80/k"}]})",
         "issuers[0].jwks_uri: an address of this machine needs \"allow_private\": true"},
        {R"({"issuers": [{"issuer": "https://x", "audiences": ["y"], "jwks_file": "/nowhere/keys"}]})",
         "issuers[0].jwks_file: /nowhere/keys: No such file or directory"},
        {R"({"issuers": [)" + issuer_text("a", "") + ", " + issuer_text("b", "") + "]}",
         "issuers[1]: where there are several issuers, no prefix may begin with another: see issuers[0]"},
        {R"({"issuers": [)" + issuer_text("a", R"(, "prefix": "a:")") + ", " +
             issuer_text("b", R"(, "prefix": "a:b:")") + "]}",
         "issuers[1]: where there are several issuers, no prefix may begin with another: see issuers[0]"},
        {R"({"issuers": [)" + issuer_text("a", R"(, "prefix": "a:")") + ", " + issuer_text("a", R"(, "prefix": "b:")") +
             "]}",
         "issuers[1]: its issuer is that of issuers[0], too"},
        {R"({"issuers": [)" + issuer_text("a", R"(, "prefix": "a:")") + ", " + issuer_text("b", R"(, "prefix": "b:")") +
             "]}",
         "none"},
    };
    for (const auto& row : rows)
        BOOST_TEST(error_of(row.text) == row.error, row.text << ": " << error_of(row.text));
}

BOOST_AUTO_TEST_CASE(a_file_of_keys_that_has_none_is_told_once)
{
    const scratch_file keys("{}");
    const std::string error =
        error_of(R"({"issuers": [{"issuer": "https://x", "audiences": ["y"], "jwks_file": ")" + keys.path() + "\"}]}");
    BOOST_TEST(error ==
               "issuers[0].jwks_file: " + keys.path() + R"( is not a set of keys: a JSON object with an array "keys")");
}

BOOST_AUTO_TEST_CASE(comments_may_stand_everywhere_and_repeatedly)
{
    BOOST_TEST(error_of(R"({"//": "a", "//": ["b"], "rules": [{"//": null, "//": {}, "tools": ["a"]}]})") == "none");
}

BOOST_AUTO_TEST_CASE(an_error_shows_no_control_characters_and_no_endless_names)
{
    const std::string error = error_of("{\"" + std::string(1000, 'a') + "\\u001b[2J\": 1}");
    BOOST_TEST(error.find('\x1b') == std::string::npos);
    BOOST_TEST(error.size() < 250u);
}

BOOST_AUTO_TEST_SUITE_END()
