#include "oauth/login_fixture.hpp"

#include "http/wire/url.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace asio = boost::asio;
using boost::asio::ip::tcp;

namespace partyline::test {
namespace {

std::string json_string(const std::string& text)
{
    return '"' + text + '"';
}

// "GET /x".
std::string line_of(const asked_request& asked)
{
    return asked.head.substr(0, asked.head.find(" HTTP/"));
}

} // namespace

login_fixture::login_fixture()
    : server_(context, [this](const asked_request& asked) { return answer_server(asked); }),
      issuer_(context, [this](const asked_request& asked) { return answer_issuer(asked); })
{
    resource = server_address();
    issuer = issuer_address();
    members = {{"issuer", json_string(issuer)},
               {"authorization_endpoint", json_string(issuer_address("/authorize"))},
               {"token_endpoint", json_string(issuer_address("/token"))},
               {"registration_endpoint", json_string(issuer_address("/register"))},
               {"code_challenge_methods_supported", R"(["S256"])"},
               {"token_endpoint_auth_methods_supported", R"(["none","client_secret_basic","client_secret_post"])"},
               {"authorization_response_iss_parameter_supported", "true"}};
    options.open_page = [this](const std::string& page) { open(page); };
    options.now = [this] { return now; };
    options.store.load = [this](const std::string& name) { return kept[name]; };
    options.store.save = [this](const std::string& name, const std::string& text) { kept[name] = text; };
}

http::oauth_client& login_fixture::client()
{
    if (!client_)
        client_ = std::make_unique<http::oauth_client>(context.get_executor(), server_address(), options);
    return *client_;
}

started<std::string> login_fixture::ask(std::optional<http::challenge> after)
{
    return started<std::string>(context, client().token(std::move(after)));
}

http::challenge login_fixture::refusal(int status, const std::string& refused, const std::string& scope) const
{
    http::challenge made;
    made.status = status;
    made.scheme = "Bearer";
    made.error = status == 403 ? "insufficient_scope" : "";
    made.scope = scope;
    made.refused_token = refused;
    return made;
}

std::string login_fixture::token(int status, const std::string& refused, const std::string& scope)
{
    return ask(refusal(status, refused, scope)).get();
}

std::string login_fixture::failure_words(int status, const std::string& refused, const std::string& scope)
{
    started<std::string> asked = ask(refusal(status, refused, scope));
    const error_code failed = asked.failure();
    return failed ? asked.words : "it has succeeded";
}

std::string login_fixture::answer_server(const asked_request& asked)
{
    asked_server.push_back(line_of(asked));
    if (at_server) {
        if (std::optional<std::string> answer = at_server(asked))
            return *answer;
    }
    if (!has_metadata || asked_server.back() != "GET /.well-known/oauth-protected-resource/mcp")
        return bare_answer(404);
    std::string body = R"({"resource":")" + resource + R"(","authorization_servers":[")" + issuer + "\"]";
    if (!scopes_supported.empty())
        body += R"(,"scopes_supported":)" + scopes_supported;
    return json_answer(200, body + "}");
}

std::string login_fixture::issuer_metadata() const
{
    std::string body;
    for (const auto& [name, value] : members) {
        if (!value.empty())
            body += (body.empty() ? "{\"" : ",\"") + name + "\":" + value;
    }
    return body + "}";
}

std::string login_fixture::answer_issuer(const asked_request& asked)
{
    asked_issuer.push_back(line_of(asked));
    if (at_issuer) {
        if (std::optional<std::string> answer = at_issuer(asked))
            return *answer;
    }
    const std::string& line = asked_issuer.back();
    if (line == "GET /.well-known/oauth-authorization-server")
        return json_answer(200, issuer_metadata());
    if (line == "POST /token")
        return issue_token(asked);
    if (line != "POST /register")
        return bare_answer(404);
    registrations.push_back(asked.body);
    return json_answer(201, R"({"client_id":"client-)" + std::to_string(registrations.size()) + "\"}");
}

std::string login_fixture::issue_token(const asked_request& asked)
{
    token_forms.push_back(asked.body);
    token_fields.push_back(asked.field("Authorization"));
    const std::string number = std::to_string(++issued_);
    std::string body =
        R"({"access_token":"access-)" + number + R"(","token_type":"Bearer","expires_in":)" + std::to_string(lifetime);
    if (has_refresh_tokens)
        body += R"(,"refresh_token":"refresh-)" + number + "\"";
    if (!granted.empty())
        body += R"(,"scope":")" + granted + "\"";
    return json_answer(200, body + "}");
}

void login_fixture::open(const std::string& page)
{
    logins.push_back(*http::form_fields::read(std::string_view(page).substr(page.find('?') + 1)));
    if (is_person_there)
        asio::co_spawn(context, visit(answer_address()), asio::detached);
}

std::string login_fixture::answer_address() const
{
    const http::form_fields& asked = logins.back();
    http::form_writer answer;
    answer.add("state", *asked.find("state"));
    if (const std::string told = iss.value_or(issuer_address()); !told.empty())
        answer.add("iss", told);
    if (login_error.empty())
        answer.add("code", "code-" + std::to_string(logins.size()));
    else
        answer.add("error", login_error);
    return *asked.find("redirect_uri") + '?' + answer.take();
}

asio::awaitable<void> login_fixture::visit(std::string address)
{
    const http::url to = http::parse_url(address);
    tcp::socket socket(context);
    const tcp::endpoint end(asio::ip::make_address(to.host), to.port);
    co_await socket.async_connect(end, asio::use_awaitable);
    const std::string request = "GET " + to.target + " HTTP/1.1\r\nHost: " + to.authority() + "\r\n\r\n";
    co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
    std::string page;
    boost::system::error_code ended;
    co_await asio::async_read(socket, asio::dynamic_buffer(page), asio::redirect_error(asio::use_awaitable, ended));
    pages.push_back(page);
}

} // namespace partyline::test
