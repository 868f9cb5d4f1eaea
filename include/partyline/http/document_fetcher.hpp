#pragma once

#include <partyline/config.hpp>
#include <partyline/transport/detail/secure_layer.hpp>
#include <partyline/transport/document_fetcher.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace partyline::http {

/// Returns a function that fetches documents of JSON by GET, such as the keys of an issuer: `access::gate::fetch_by`.
/// Addresses of https are reached by `tls` (`tls::client_context::connector()`), without a proxy. The whole may take 10
/// s. A document is refused that has another status than 200, another type than JSON (redirects are not followed), or
/// too many bytes.
///
/// The function does not connect to addresses that are not public, unless the request allows it: each address that the
/// look-up of the host's name gives is judged, and the connection is made to an allowed one. With plain http only
/// loopback addresses are allowed.
///
///     gate->fetch_by(http::make_document_fetcher(executor, tls::client_context().connector()));
///
/// Lifetime: the `io_context` outlives the fetches under way, which keep its `run()` running.
/// Thread safety: the function may be called from any thread, at the same time. Each fetch works on a strand of its
/// own, and calls its receiver there.
PARTYLINE_EXPORT document_fetcher make_document_fetcher(boost::asio::any_io_executor executor,
                                                        partyline::detail::secure_connector tls);

} // namespace partyline::http
