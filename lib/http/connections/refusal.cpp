#include "http/connections/refusal.hpp"

#include "http/connections/answer_stream.hpp"
#include "http/connections/client_failure.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/printable.hpp>

#include <chrono>
#include <string_view>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_shown = 300;
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

} // namespace

std::string status_words(const received_head& head)
{
    const bool is_proxy = head.status == 407;
    const std::string wanted = list_of(head, is_proxy ? "proxy-authenticate" : "www-authenticate");
    std::string words = "HTTP status " + std::to_string(head.status);
    if (!wanted.empty())
        words += (is_proxy ? ", Proxy-Authenticate: " : ", WWW-Authenticate: ") + printable(wanted, longest_shown);
    return words;
}

std::string body_words(const std::optional<std::string>& said)
{
    return said ? ": " + printable(*said, longest_shown) : std::string();
}

asio::awaitable<void> check_credentials(pooled_response& answer, std::size_t most)
{
    const int status = answer.head().status;
    if (status != 401 && status != 407)
        co_return;
    const std::string words = status_words(answer.head());
    const std::optional<std::string> said = co_await read_in_time(answer, most);
    fail(errc::http_status, words + body_words(said));
}

} // namespace partyline::http
