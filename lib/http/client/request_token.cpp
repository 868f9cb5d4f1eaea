#include "http/client/request_token.hpp"

#include "http/access/read_challenge.hpp"
#include "http/connections/client_failure.hpp"
#include "http/wire/characters.hpp"

#include <partyline/http/client_errc.hpp>
#include <partyline/protocol/exception_text.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// RFC 6750 §2.1: the characters of b64token. What else is there could be another field.
std::string checked(std::string token)
{
    const bool is_one = std::ranges::all_of(token, [](char c) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return is_letter || is_digit(c) || std::string_view("-._~+/=").find(c) != std::string_view::npos;
    });
    if (!is_one)
        fail(client_errc::unauthorized, "there is a character in the token that Bearer tokens have not (RFC 6750)");
    return token;
}

std::string joined(const std::string& words, const std::string& details)
{
    return words.empty() || details.empty() ? words + details : words + ": " + details;
}

// What it has failed with, behind the words of the server.
[[noreturn]] void rethrow(const std::exception_ptr& thrown, const std::string& words)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& e) {
        fail(e.code(), joined(words, exception_details(e)));
    } catch (const std::exception& e) {
        fail(client_errc::unauthorized, joined(words, exception_text(e)));
    } catch (...) {
        fail(client_errc::unauthorized, words);
    }
}

} // namespace

bool is_token_refusal(const received_head& head)
{
    if (head.status != 403)
        return head.status == 401;
    return read_challenge(head.status, head.fields).scheme == "Bearer";
}

asio::awaitable<void> request_token::get()
{
    std::optional<std::string> known;
    try {
        known = from_->known();
    } catch (...) {
        rethrow(std::current_exception(), {});
    }
    if (!known)
        known = co_await ask(std::nullopt, std::string());
    token_ = checked(std::move(*known));
}

void request_token::add_to(client_request& request) const
{
    if (token_.empty())
        return;
    request.fields.push_back({"Authorization", "Bearer " + token_});
    std::vector<std::string> shown;
    if (request.secrets)
        shown = *request.secrets;
    shown.push_back(token_);
    request.secrets = std::make_shared<const std::vector<std::string>>(std::move(shown));
}

asio::awaitable<void> request_token::replace(challenge refusal, std::string words)
{
    if (tries_++ == most_tries)
        fail(client_errc::unauthorized, words);
    refusal.refused_token = token_;
    std::string next = co_await ask(std::move(refusal), std::move(words));
    token_ = checked(std::move(next));
}

asio::awaitable<std::string> request_token::ask(std::optional<challenge> after, std::string words)
{
    try {
        co_return co_await from_->token(std::move(after));
    } catch (...) {
        rethrow(std::current_exception(), words);
    }
}

} // namespace partyline::http
