#pragma once

#include "http/connections/wait_ready.hpp"

#include <partyline/transport/detail/secure_layer.hpp>
#include <partyline/transport/document_fetcher.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <string>

namespace partyline::http {

/// Fetches a document of JSON over a connection of its own, straight from the server: no proxy, no redirects. Each
/// address of the host is to be a public one, unless the request says otherwise.
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
