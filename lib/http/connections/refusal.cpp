#include "http/connections/refusal.hpp"

#include "http/access/hidden_secret.hpp"
#include "http/connections/answer_stream.hpp"
#include "http/connections/client_failure.hpp"
#include "http/wire/characters.hpp"
#include "session/redaction.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/printable.hpp>

#include <chrono>
#include <string_view>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

constexpr auto body_time = 2s;

// Several fields of a name are one list (RFC 9110 §5.3).
std::string list_of(const received_head& head, std::string_view name)
{
    std::string list;
    for (const field& one : head.fields) {
        if (is_name(one.name, name))
            list.append(list.empty() ? "" : ", ").append(one.value);
    }
    return list;
}

asio::awaitable<std::optional<std::string>> read_in_time(pooled_response& answer, std::size_t most)
{
    if (!has_messages(answer.head()))
        co_return std::nullopt;
    try {
        answer_stream messages(answer, most);
        co_return co_await messages.next(std::chrono::steady_clock::now() + body_time);
    } catch (const boost::system::system_error& e) {
        if (e.code() == asio::error::operation_aborted)
            throw;
    }
    co_return std::nullopt;
}

std::string words_of_field(const received_head& head, const std::string& name, const shown_secrets& secrets)
{
    const std::string value = without_secrets(list_of(head, lower_case(name)), secrets);
    return value.empty() ? std::string() : ", " + name + ": " + printable(value, longest_shown);
}

std::string words_of_type(const received_head& head, const shown_secrets& secrets)
{
    return words_of_field(head, "Content-Type", secrets) + words_of_field(head, "Content-Encoding", secrets);
}

std::string words_of_status(const received_head& head, const shown_secrets& secrets)
{
    const char* const wanted = head.status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate";
    return "HTTP status " + std::to_string(head.status) + words_of_field(head, wanted, secrets);
}

} // namespace

std::string status_words(const received_head& head, const shown_secrets& secrets)
{
    return words_of_status(head, secrets) + (has_messages(head) ? std::string() : words_of_type(head, secrets));
}

std::string no_reply_words(const received_head& head, const std::optional<std::string>& said,
                           const shown_secrets& secrets)
{
    const bool is_empty = !said && has_messages(head);
    return words_of_status(head, secrets) + words_of_type(head, secrets) +
           (is_empty ? ", without a body" : body_words(said, secrets));
}

std::string body_words(const std::optional<std::string>& said, const shown_secrets& secrets)
{
    return said ? ": " + printable(redacted(without_secrets(*said, secrets)), longest_shown) : std::string();
}

asio::awaitable<std::string> refusal_words(pooled_response& answer, std::size_t most)
{
    const std::string words = status_words(answer.head(), answer.secrets());
    const std::optional<std::string> said = co_await read_in_time(answer, most);
    co_return words + body_words(said, answer.secrets());
}

asio::awaitable<void> check_credentials(pooled_response& answer, std::size_t most)
{
    const int status = answer.head().status;
    if (status != 401 && status != 407)
        co_return;
    const std::string words = co_await refusal_words(answer, most);
    fail(errc::http_status, words);
}

} // namespace partyline::http
