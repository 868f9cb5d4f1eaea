#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace partyline {

/// A document that is needed from the network, such as the keys of an issuer of tokens.
struct document_request {
    /// The address: https, or http on loopback with `allow_private`.
    std::string url = {};
    /// Whether it may come from an address that is not public, such as 10.0.0.1 or 127.0.0.1. By default not: otherwise
    /// the source of the address could make this program send requests to servers which only this program reaches
    /// (SSRF).
    bool allow_private = false;
    /// The most bytes that are read of it.
    std::size_t max_bytes = std::size_t(64) << 10;
};

/// Takes the text of a document, or an empty one and the reason why there is none: one line, for the log.
using document_receiver = std::function<void(std::string text, std::string failure)>;

/// Fetches a document without blocking, and calls `done` once, on any thread, but not from within. Where it throws, the
/// fetch has not begun, and `done` is not called. The function may be called from any thread. See
/// `http::make_document_fetcher`.
using document_fetcher = std::function<void(const document_request& wanted, document_receiver done)>;

} // namespace partyline
