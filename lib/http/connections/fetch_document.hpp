#pragma once

#include "http/connections/client_request.hpp"
#include "http/connections/wait_ready.hpp"
#include "http/wire/url.hpp"

#include <partyline/transport/detail/secure_layer.hpp>
#include <partyline/transport/document_fetcher.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace partyline::http {

/// The answer to a request for a document.
struct document_answer {
    int status = 0;
    std::string text = {}; // empty where the body is not JSON, of which nothing is read then
};

/// The way to the server of a document.
struct document_way {
    partyline::detail::secure_connector secure = {};
    /// To addresses of https. The proxy looks hosts up then, so that its own rules count for what they stand for; a
    /// host that is an address is to be a public one all the same.
    std::optional<url> proxy = {};
};

/// Asks for a document of JSON by any request, over a connection of its own. Redirects are not followed. Each address
/// of the host is to be a public one, unless `wanted` says otherwise. `asked` has no target and no host: these are
/// those of the address.
///
/// Fails with       std::invalid_argument: the address is not one that documents are fetched from; errc::bad_reply:
///                  another address (status 3xx); errc::message_too_large; what `connection_pool::send` fails with
/// Cancellation     terminal, partial, total: operation_aborted
/// Threads          `serial` is a strand or serial, and the coroutine runs there
boost::asio::awaitable<document_answer> ask_document(boost::asio::any_io_executor serial, document_way by,
                                                     document_request wanted, client_request asked, time_limit until);

/// Fetches a document of JSON by GET, as `ask_document` asks for it, without a proxy.
///
/// Fails with       std::invalid_argument: the address is not one that documents are fetched from; errc::http_status;
///                  errc::bad_reply: another type than JSON, an encoding, another address; errc::message_too_large;
///                  what `connection_pool::send` fails with
/// Cancellation     terminal, partial, total: operation_aborted
/// Threads          `serial` is a strand or serial, and the coroutine runs there
boost::asio::awaitable<std::string> fetch_document(boost::asio::any_io_executor serial,
                                                   partyline::detail::secure_connector secure, document_request wanted,
                                                   time_limit until);

} // namespace partyline::http
