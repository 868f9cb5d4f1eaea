#include "http/access/host_rules.hpp"
#include "made_head.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace http = partyline::http;

using http::host_rules;
using http::reach;
using partyline::test::contains;
using partyline::test::made_head;

namespace {

host_rules named_rules()
{
    return {{"Example.org", "api.example.org:8443", "[2001:db8::1]", "fe80::2"}, {}};
}

const char* as_text(reach by)
{
    return by == reach::loopback ? "over loopback" : by == reach::network ? "over a network" : "over a Unix socket";
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_host_rules)

// Over a Unix socket each of them is served: no page can connect to one.
BOOST_AUTO_TEST_CASE(a_host_is_served_where_nobody_else_can_have_its_name)
{
    const struct {
        const char* host;
        bool over_loopback; // with no names given
        bool over_network;  // with names given, those above
    } rows[] = {
        {"localhost", true, false},
        {"localhost:8080", true, false},
        {"LocalHost:80", true, false},
        {"localhost.", true, false},
        {"localhost.:8080", true, false},
        {"localhost:", true, false},
        {"127.0.0.1", true, false},
        {"127.0.0.1:65535", true, false},
        {"[::1]", true, false},
        {"[::1]:80", true, false},
        {"", false, false},
        {"evil.example", false, false},
        {"evil.example:8080", false, false},
        {"127.0.0.1.evil.example", false, false},
        {"localhost.evil.example", false, false},
        {"evil.localhost", false, false},
        {"xlocalhost", false, false},
        {"localhost..", false, false},
        {".localhost", false, false},
        {".", false, false},
        {"0.0.0.0", false, false},
        {"0.0.0.0:8080", false, false},
        {"0", false, false},
        {"127.1", false, false},
        {"2130706433", false, false},
        {"127.0.0.2", false, false},
        {"0x7f.0.0.1", false, false},
        {"[::]", false, false},
        {"::1", false, false},
        {"[::1", false, false},
        {"[::1]x", false, false},
        {"[::1]:80:90", false, false},
        {"[]", false, false},
        {"[localhost]", false, false},
        {"[::ffff:127.0.0.1]", false, false},
        {"[fe80::2%25lo]", false, false},
        {"user@localhost", false, false},
        {"localhost@evil.example", false, false},
        {"localhost:80@evil.example", false, false},
        {"evil.example@localhost:80", false, false},
        {"localhost:http", false, false},
        {"localhost:-1", false, false},
        {"localhost:80:90", false, false},
        {"localhost:123456", false, false},
        {":8080", false, false},
        {"localhost/", false, false},
        {"localhost,evil.example", false, false},
        {"localhost evil.example", false, false},
        {"l\xc3\xb6"
         "calhost",
         false, false},
        {"xn--lcalhost-m4a", false, false},
        {"null", false, false},
        {"*", false, false},
        {"example.org", false, true},
        {"EXAMPLE.org:1", false, true},
        {"example.org.", false, true},
        {"example.org.:443", false, true},
        {"sub.example.org", false, false},
        {"example.org.evil.example", false, false},
        {"api.example.org:8443", false, true},
        {"api.example.org", false, false},
        {"api.example.org:443", false, false},
        {"api.example.org:84430", false, false},
        {"[2001:DB8::1]:80", false, true},
        {"[2001:db8::2]", false, false},
        {"[fe80::2]", false, true},
    };
    const host_rules unnamed({}, {});
    const host_rules named = named_rules();
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT('"' << row.host << '"')
        {
            const made_head head({{"Host", row.host}});
            BOOST_TEST(!unnamed.refuse(head, reach::loopback) == row.over_loopback);
            BOOST_TEST(!named.refuse(head, reach::network) == row.over_network);
            BOOST_TEST(!named.refuse(head, reach::loopback) == (row.over_loopback || row.over_network));
            BOOST_TEST(unnamed.refuse(head, reach::network).has_value());
            BOOST_TEST(!unnamed.refuse(head, reach::local).has_value());
        }
    }
}

BOOST_AUTO_TEST_CASE(an_address_that_is_listened_on_may_be_asked_for)
{
    host_rules rules{{}, {}};
    const auto is_served = [&](const std::string& host, reach by) {
        return !rules.refuse(made_head({{"Host", host}}), by).has_value();
    };
    BOOST_TEST(!is_served("127.0.0.2:80", reach::loopback));
    rules.allow("127.0.0.2");
    rules.allow("2001:db8::1");
    BOOST_TEST(is_served("127.0.0.2:80", reach::loopback));
    BOOST_TEST(is_served("[2001:db8::1]", reach::network));
    BOOST_TEST(!is_served("127.0.0.3", reach::loopback));
}

// rule: security.access.pages
BOOST_AUTO_TEST_CASE(a_page_may_ask_that_comes_from_the_host_itself_or_is_listed)
{
    const struct {
        const char* origin;
        const char* host;
        bool is_served;
    } rows[] = {
        {"http://localhost:8080", "localhost:8080", true},
        {"HTTP://LOCALHOST:8080", "localhost:8080", true},
        {"http://localhost", "localhost:80", true},
        {"http://localhost:80", "localhost", true},
        {"https://localhost", "localhost:443", true},
        {"https://localhost:8080", "localhost:8080", true}, // something in front speaks TLS
        {"http://[::1]:8080", "[::1]:8080", true},
        {"http://localhost:3000", "localhost:8080", false},
        {"http://localhost:443", "localhost", false},
        {"http://127.0.0.1:8080", "localhost:8080", false},
        {"http://evil.example", "localhost:8080", false},
        {"http://evil.example:8080", "localhost:8080", false},
        {"http://localhost:8080.evil.example", "localhost:8080", false},
        {"http://localhost:8080@evil.example", "localhost:8080", false},
        {"http://localhost:8080/", "localhost:8080", false},
        {"ftp://localhost:8080", "localhost:8080", false},
        {"localhost:8080", "localhost:8080", false},
        {"://localhost:8080", "localhost:8080", false},
        {"http://", "localhost", false},
        {"null", "localhost", false},
        {"", "localhost", false},
        {"*", "localhost", false},
        {"file://", "localhost", false},
        {"http://localhost http://evil.example", "localhost", false},
        {"https://page.example", "localhost", true},
        {"https://PAGE.example:443", "localhost", true},
        {"https://page.example:8443", "localhost", false},
        {"http://page.example", "localhost", false},
        {"https://sub.page.example", "localhost", false},
        {"https://page.example.evil.example", "localhost", false},
        {"https://page.example/", "localhost", false},
        {"http://other.example:81", "localhost", true},
        {"http://other.example", "localhost", false},
        {"vscode-webview://0a1b2c", "localhost", true},
        {"vscode-webview://0a1b2d", "localhost", false},
    };
    const host_rules rules({}, {"https://page.example", "HTTP://Other.example:81", "vscode-webview://0a1b2c"});
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT('"' << row.origin << "\" asks for \"" << row.host << '"')
        {
            for (const reach by : {reach::loopback, reach::local}) {
                BOOST_TEST_CONTEXT(as_text(by))
                {
                    const made_head head({{"Host", row.host}, {"origin", row.origin}});
                    BOOST_TEST(!rules.refuse(head, by) == row.is_served);
                    const made_head wrong_host({{"Host", "evil.example"}, {"origin", row.origin}});
                    BOOST_TEST((by == reach::local || rules.refuse(wrong_host, by)));
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(only_listed_origins_are_told_that_they_are)
{
    const host_rules rules({}, {"https://page.example"});
    BOOST_TEST(rules.allows_origin("https://page.example"));
    BOOST_TEST(!rules.allows_origin("http://localhost"));
    BOOST_TEST(!rules.allows_origin("null"));
    BOOST_TEST(!rules.allows_origin(""));
    BOOST_TEST(!host_rules({}, {}).allows_origin("https://page.example"));
}

BOOST_AUTO_TEST_CASE(an_origin_stands_there_once)
{
    const host_rules rules({}, {"https://page.example"});
    const made_head twice(
        {{"Host", "localhost"}, {"Origin", "https://page.example"}, {"ORIGIN", "http://evil.example"}});
    BOOST_TEST(contains(rules.refuse(twice, reach::loopback).value_or(""), "more than once"));
}

BOOST_AUTO_TEST_CASE(what_a_browser_calls_another_site_needs_a_listed_origin)
{
    const host_rules rules({}, {"https://page.example"});
    const struct {
        const char* site;
        const char* origin; // null: none
        bool is_served;
    } rows[] = {
        {"cross-site", nullptr, false},
        {"same-site", nullptr, true},
        {"same-origin", nullptr, true},
        {"none", nullptr, true}, // a person's own
        {"cross-site", "https://page.example", true},
        {"cross-site", "https://evil.example", false},
        {"cross-site", "http://localhost", false},
        {"same-origin", "http://localhost", true},
    };
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.site << ' ' << (row.origin ? row.origin : "without an origin"))
        {
            std::vector<http::field> fields = {{"Host", "localhost"}, {"Sec-Fetch-Site", row.site}};
            if (row.origin)
                fields.push_back({"Origin", row.origin});
            const made_head head(fields);
            BOOST_TEST(!rules.refuse(head, reach::loopback) == row.is_served);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_option_and_commands_no_terminal)
{
    const host_rules rules({}, {});
    const auto why = [&](std::vector<http::field> fields) {
        const made_head head(std::move(fields));
        return rules.refuse(head, reach::loopback).value_or("served");
    };
    BOOST_TEST(contains(why({{"Host", "Evil.example:80"}}), "--allow-host Evil.example)"));
    BOOST_TEST(contains(why({{"Host", "localhost"}, {"Origin", "https://page.example"}}),
                        "--allow-origin https://page.example)"));
    BOOST_TEST(!contains(why({{"Host", "localhost"}, {"Origin", "null"}}), "--allow-origin"));
    const std::string hostile = "\x1b[2J\xe2\x80\xae" + std::string(9000, 'a');
    for (const std::string& text : {why({{"Host", hostile}}), why({{"Host", "localhost"}, {"Origin", hostile}}),
                                    why({{"Host", "localhost"}, {"Origin", "http://" + std::string(9000, 'a')}})}) {
        BOOST_TEST(text.size() < 700u);
        BOOST_TEST(text.find('\x1b') == text.npos);
        BOOST_TEST(text.find("\xe2\x80\xae") == text.npos);
    }
}

BOOST_AUTO_TEST_CASE(options_that_would_never_fit_are_refused)
{
    const std::pair<const char*, bool> rows[] = {
        {"*", false},
        {"", false},
        {"https://example.org", false},
        {"example.org/", false},
        {"a b", false},
        {"*", true},
        {"null", true},
        {"example.org", true},
        {"https://example.org/", true},
        {"https://*.example.org", true},
        {"https://user@example.org", true},
    };
    for (const auto& [text, is_origin] : rows) {
        BOOST_TEST_CONTEXT('"' << text << '"')
        {
            try {
                is_origin ? host_rules({}, {text}) : host_rules({text}, {});
                BOOST_ERROR("was taken");
            } catch (const std::invalid_argument& e) {
                BOOST_TEST(contains(e.what(), '"' + std::string(text) + '"'), e.what());
                BOOST_TEST(contains(e.what(), is_origin ? "origin" : "host"), e.what());
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
