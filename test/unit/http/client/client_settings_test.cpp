// What clients are told: of proxies, by their options and by the environment, and of fields.

#include "http/client_settings.hpp"
#include "http/wire/url.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using partyline::http::client_kind;
using partyline::http::client_options;
using partyline::http::connections_of;
using partyline::http::parse_url;
using partyline::http::proxy_of_environment;

namespace {

// No variable of these is set, but by the test.
struct environment {
    environment() { clear(); }
    ~environment() { clear(); }

    void set(const std::map<std::string, std::string>& variables)
    {
        clear();
        for (const auto& [name, value] : variables)
            ::setenv(name.c_str(), value.c_str(), 1);
    }

private:
    static void clear()
    {
        for (const char* name : {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"})
            ::unsetenv(name);
    }
};

std::string problem_of(const std::string& address)
{
    try {
        return "none: " + proxy_of_environment(address);
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_client_settings, environment)

BOOST_AUTO_TEST_CASE(the_environment_names_a_proxy_for_each_kind_of_address)
{
    BOOST_TEST(proxy_of_environment("http://a") == "");
    set({{"http_proxy", "http://one:1"}, {"https_proxy", "http://two:2"}, {"HTTP_PROXY", "http://cgi:3"}});
    for (const char* plain : {"http://a", "HTTP://a", "Ws://a:80/x"})
        BOOST_TEST(proxy_of_environment(plain) == "http://one:1");
    for (const char* secure : {"https://a", "HTTPS://a", "wss://a", "WSS://a"})
        BOOST_TEST(proxy_of_environment(secure) == "http://two:2");
}

BOOST_AUTO_TEST_CASE(a_proxy_without_a_scheme_is_reached_by_http)
{
    set({{"http_proxy", "proxy.example:3128"}, {"HTTPS_PROXY", "[::1]:8080/"}});
    BOOST_TEST(proxy_of_environment("http://a") == "http://proxy.example:3128");
    BOOST_TEST(proxy_of_environment("https://a") == "http://[::1]:8080");
    client_options how;
    for (const char* proxy : {"proxy.example:3128", "HTTP://proxy.example:3128", "http://proxy.example:3128/"}) {
        how.proxy = proxy;
        BOOST_TEST(connections_of(how, parse_url("http://a"), client_kind::json_rpc).proxy.value().origin() ==
                   "http://proxy.example:3128");
    }
    how.proxy = "https://proxy.example";
    BOOST_CHECK_THROW(connections_of(how, parse_url("http://a"), client_kind::json_rpc), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_variable_that_names_no_proxy_is_named_itself_and_what_it_says_of_a_user_is_not)
{
    const std::string start = "the proxy that http_proxy names in the environment: ";
    for (const char* bad : {"socks5://a:1", "a b", "proxy:port", "https://a", "http://user:secret@a:1",
                            "socks5://user:secret@a:1", "user:secret@a:1"}) {
        set({{"http_proxy", bad}});
        BOOST_TEST(problem_of("http://a").starts_with(start), problem_of("http://a"));
        BOOST_TEST(problem_of("http://a").find("secret") == std::string::npos, problem_of("http://a"));
        BOOST_TEST(problem_of("https://a") == "none: "); // which is not asked for this
    }
    set({{"HTTPS_PROXY", "ftp://a"}});
    BOOST_TEST(problem_of("wss://a").find("HTTPS_PROXY") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(hosts_that_are_listed_are_reached_without_a_proxy_at_any_port_or_the_one_that_is_listed)
{
    const auto is_listed = [this](const std::string& list, const std::string& address) {
        set({{"http_proxy", "http://p"}, {"NO_PROXY", list}});
        return proxy_of_environment(address).empty();
    };
    for (const char* list : {"a.example", "A.Example", ".a.example", "b, a.example", "a.example:8080", ".example:8080",
                             "*", "a.example:80,a.example:8080"})
        BOOST_TEST(is_listed(list, "http://a.example:8080/x"), list);
    for (const char* list :
         {"a.example:80", "b.example", "a.example:80801", "aa.example", "a.example:808", ":8080", ","})
        BOOST_TEST(!is_listed(list, "http://a.example:8080/x"), list);
    BOOST_TEST(is_listed("a.example:80", "http://a.example"));
    for (const char* list : {"::1", "[::1]", "[::1]:8080"})
        BOOST_TEST(is_listed(list, "http://[::1]:8080"), list);
    BOOST_TEST(!is_listed("[::1]:80", "http://[::1]:8080"));
    BOOST_TEST(is_listed("127.0.0.1:8080", "http://127.0.0.1:8080"));
}

// A server that finds a field twice refuses the request, or takes the wrong one.
BOOST_AUTO_TEST_CASE(a_field_that_a_client_writes_itself_is_refused_by_its_name)
{
    using names = std::vector<std::string>;
    const names everywhere = {"Host", "content-length", "Transfer-Encoding"};
    const names of_posts = {"Content-Type", "ACCEPT", "Partyline-Proof"};
    const names of_mcp = {"Mcp-Protocol-Version", "MCP-Session-Id",  "mcp-method", "Mcp-Name",
                          "Last-Event-ID",        "Mcp-Param-Region"};
    const names of_websocket = {"Upgrade", "Connection", "Sec-WebSocket-Key", "sec-websocket-protocol"};
    const names never = {"Authorization", "Cookie", "X-Host", "Accept-Language", "Mcp-Parameter", "Origin"};
    const auto refused = [](client_kind kind, const std::string& name) {
        client_options how;
        how.fields = {{"X-Tenant", "a"}, {name, "b"}};
        try {
            connections_of(how, parse_url(kind == client_kind::websocket ? "ws://a" : "http://a"), kind);
        } catch (const std::invalid_argument& e) {
            BOOST_TEST(e.what() == "client_options::fields has " + name + ", which the client writes itself");
            return true;
        }
        return false;
    };
    const auto check = [&](const names& all, bool by_rpc, bool by_mcp, bool by_websocket) {
        for (const std::string& one : all) {
            BOOST_TEST(refused(client_kind::json_rpc, one) == by_rpc, one);
            BOOST_TEST(refused(client_kind::mcp, one) == by_mcp, one);
            BOOST_TEST(refused(client_kind::websocket, one) == by_websocket, one);
        }
    };
    check(everywhere, true, true, true);
    check(of_posts, true, true, false);
    check(of_mcp, false, true, false);
    check(of_websocket, false, false, true);
    check(never, false, false, false);
}

BOOST_AUTO_TEST_SUITE_END()
