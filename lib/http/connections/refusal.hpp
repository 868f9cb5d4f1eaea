#pragma once

#include "http/access/hidden_secret.hpp"
#include "http/wire/received_head.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

class pooled_response;

/// Bytes of a field or a body that words have.
inline constexpr std::size_t longest_shown = 300;

/// The status, WWW-Authenticate where a server has it, and the type of a body from which no message is read: "HTTP
/// status 401, WWW-Authenticate: Bearer, Content-Type: text/html". Without `secrets`, which the request has shown.
std::string status_words(const received_head& head, const shown_secrets& secrets);

/// The same of an answer that should have been a reply, with its type in any case, and what was `said` in its body:
/// "HTTP status 202, without a body".
std::string no_reply_words(const received_head& head, const std::optional<std::string>& said,
                           const shown_secrets& secrets);

/// The beginning of a body that is no reply, behind a colon; nothing where there is none. Without `secrets`.
std::string body_words(const std::optional<std::string>& said, const shown_secrets& secrets);

/// The words of a refusal whose body is no reply: the status, and what comes of the body within two seconds, where that
/// has up to `most` bytes.
boost::asio::awaitable<std::string> refusal_words(pooled_response& answer, std::size_t most);

/// Fails with errc::http_status where a server (401) or a proxy (407) answers nobody whom it does not know: it has not
/// looked at what was asked, so that nothing in its body is the reply to that. The details are `refusal_words`.
boost::asio::awaitable<void> check_credentials(pooled_response& answer, std::size_t most);

} // namespace partyline::http
