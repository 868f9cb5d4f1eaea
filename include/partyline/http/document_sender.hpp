#pragma once

#include <partyline/config.hpp>
#include <partyline/transport/detail/secure_layer.hpp>
#include <partyline/transport/document_sender.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace partyline::http {

/// Returns a function that sends documents by POST, each over a connection of its own, such as the spans of
/// `telemetry::export_spans`. Addresses of https are reached by `tls` (`tls::client_context::connector()`), without a
/// proxy. Redirects are not followed. At most 64 KiB of an answer are read.
///
/// Lifetime: the `io_context` outlives the sending under way, which keeps its `run()` running.
/// Thread safety: the function may be called from any thread, at the same time. Each document is sent on a strand of
/// its own, and its receiver called there.
PARTYLINE_EXPORT document_sender make_document_sender(boost::asio::any_io_executor executor,
                                                      partyline::detail::secure_connector tls);

} // namespace partyline::http
