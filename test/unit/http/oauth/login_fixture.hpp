#pragma once

#include "client/client_fixture.hpp"
#include "client/fickle_server.hpp"
#include "http/oauth/form.hpp"

#include <partyline/http/oauth_client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::test {

/// A server that is protected, its authorization server, and a person whose browser logs in at once. All of it does as
/// it should, unless a test says otherwise.
class login_fixture {
public:
    login_fixture();

    boost::asio::io_context context{1};
    http::oauth_options options;
    std::map<std::string, std::string> kept; // in the store
    std::chrono::system_clock::time_point now = std::chrono::system_clock::now();

    // What the servers say.
    std::map<std::string, std::string> members; // of the issuer's metadata, as JSON; an empty text leaves one out
    std::string scopes_supported;               // of the server, as JSON
    std::string resource;                       // as it says it
    std::string issuer;                         // that it names
    bool has_metadata = true;                   // the server
    std::function<std::optional<std::string>(const asked_request&)> at_server; // a whole answer
    std::function<std::optional<std::string>(const asked_request&)> at_issuer;
    std::optional<std::string> iss; // in the answer to a login; "" leaves it out
    std::string login_error;
    std::string granted; // in the answers of the token endpoint
    int lifetime = 3600;
    bool has_refresh_tokens = true;
    bool is_person_there = true;

    // What they have seen, each in the form METHOD TARGET.
    std::vector<std::string> asked_server;
    std::vector<std::string> asked_issuer;
    std::vector<http::form_fields> logins;
    std::vector<std::string> token_forms;
    std::vector<std::string> token_fields; // Authorization
    std::vector<std::string> registrations;
    std::vector<std::string> pages; // that the browser was shown in the end

    std::string server_address(const std::string& path = "/mcp") const { return server_.address(path); }
    std::string issuer_address(const std::string& path = "") const { return issuer_.address(path); }

    http::oauth_client& client();
    void restart() { client_.reset(); }
    started<std::string> ask(std::optional<http::challenge> after = std::nullopt);
    http::challenge refusal(int status = 401, const std::string& refused = {}, const std::string& scope = {}) const;
    /// The token after a refusal with this status of a request with this token.
    std::string token(int status = 401, const std::string& refused = {}, const std::string& scope = {});
    std::string failure_words(int status = 401, const std::string& refused = {}, const std::string& scope = {});
    http::form_fields token_form(std::size_t at) const { return *http::form_fields::read(token_forms.at(at)); }
    /// A browser asks for an address.
    boost::asio::awaitable<void> visit(std::string address);
    /// The page of a login is shown to the person.
    void open(const std::string& page);
    /// The address that a person's browser is sent back to after the last login that was begun.
    std::string answer_address() const;

private:
    std::string answer_server(const asked_request& asked);
    std::string answer_issuer(const asked_request& asked);
    std::string issuer_metadata() const;
    std::string issue_token(const asked_request& asked);

    fickle_server server_;
    fickle_server issuer_;
    std::unique_ptr<http::oauth_client> client_;
    int issued_ = 0;
};

} // namespace partyline::test
