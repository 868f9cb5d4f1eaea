#include "conformance_login.hpp"

#include <partyline/http/oauth_client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <stdlib.h>
#include <sys/stat.h>

namespace asio = boost::asio;
namespace http = partyline::http;
namespace json = boost::json;

namespace {

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

// The answer to a GET, as it comes.
asio::awaitable<std::string> get(std::string url)
{
    url.erase(0, std::string_view("http://").size());
    const std::string authority = url.substr(0, url.find('/'));
    const std::string host = authority.substr(0, authority.find(':'));
    const std::string port = authority.substr(authority.find(':') + 1);
    const std::string request =
        "GET " + url.substr(authority.size()) + " HTTP/1.1\r\nHost: " + authority + "\r\nConnection: close\r\n\r\n";
    const auto executor = co_await asio::this_coro::executor;
    asio::ip::tcp::resolver resolver(executor);
    const auto found = co_await resolver.async_resolve(host, port, asio::use_awaitable);
    asio::ip::tcp::socket socket(executor);
    co_await asio::async_connect(socket, found, asio::use_awaitable);
    co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
    std::string answer;
    boost::system::error_code ended;
    co_await asio::async_read(socket, asio::dynamic_buffer(answer), asio::redirect_error(asio::use_awaitable, ended));
    co_return answer;
}

asio::awaitable<void> visit(std::string url)
{
    const std::string answer = co_await get(std::move(url));
    const std::string_view name = "\r\nLocation: ";
    const std::size_t found = answer.find(name);
    if (found == answer.npos) {
        std::cerr << "the page sends nobody back: " << answer << '\n';
        co_return;
    }
    const std::size_t from = found + name.size();
    std::string back = answer.substr(from, answer.find('\r', from) - from);
    co_await get(std::move(back));
}

bool is_wanted()
{
    return variable("MCP_CONFORMANCE_SCENARIO").starts_with("auth/");
}

bool is_by_person()
{
    return !variable("MCP_CONFORMANCE_SCENARIO").starts_with("auth/client-credentials");
}

http::oauth_options options_for_scenario()
{
    http::oauth_options how;
    const std::string text = variable("MCP_CONFORMANCE_CONTEXT");
    const json::value context = text.empty() ? json::value(json::object()) : json::parse(text);
    constexpr std::pair<std::string_view, std::string http::oauth_options::*> members[] = {
        {"client_id", &http::oauth_options::client_id},
        {"client_secret", &http::oauth_options::client_secret},
        {"private_key_pem", &http::oauth_options::client_key},
        {"issuer", &http::oauth_options::issuer}};
    for (const auto& [name, member] : members) {
        if (const json::value* const given = context.as_object().if_contains(name))
            how.*member = std::string(given->as_string());
    }
    if (how.client_id.empty())
        how.metadata_url = "https://conformance-test.local/client-metadata.json"; // that of auth/basic-cimd
    return how;
}

} // namespace

void visit_page(const asio::any_io_executor& executor, std::string url)
{
    asio::co_spawn(executor, visit(std::move(url)), [](std::exception_ptr thrown) {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
        } catch (const std::exception& e) {
            std::cerr << "the page can not be visited: " << e.what() << '\n';
        }
    });
}

gateway_login login_by_gateway()
{
    gateway_login login;
    if (!is_wanted())
        return login;
    std::string folder = "/tmp/partyline-login-XXXXXX";
    if (!::mkdtemp(folder.data()))
        throw std::runtime_error("there is no folder " + folder);
    login.variables["XDG_STATE_HOME"] = folder;
    const http::oauth_options how = options_for_scenario();
    const auto add = [&](const std::string& name, const std::string& value) {
        if (!value.empty())
            login.options.insert(login.options.end(), {name, value});
    };
    const auto in_file = [&](const std::string& text) {
        const std::string path = folder + "/secret";
        ::umask(077);
        std::ofstream(path) << text;
        return text.empty() ? text : path;
    };
    if (is_by_person())
        login.options.emplace_back("--login");
    add("--client-id", how.client_id);
    add("--client-metadata", how.metadata_url);
    add("--issuer", how.issuer);
    add(how.client_key.empty() ? "--client-secret-file" : "--client-jwt-key",
        in_file(how.client_key.empty() ? how.client_secret : how.client_key));
    return login;
}

std::shared_ptr<http::token_source> tokens_for(const asio::any_io_executor& executor, const std::string& server)
{
    if (!is_wanted())
        return nullptr;
    http::oauth_options how = options_for_scenario();
    if (is_by_person())
        how.open_page = [executor](const std::string& url) { visit_page(executor, url); };
    return std::make_shared<http::oauth_client>(executor, server, std::move(how));
}
