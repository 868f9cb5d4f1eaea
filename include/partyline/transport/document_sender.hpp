#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline {

/// A document that is to be sent over the network, such as spans for a collector.
struct document_to_send {
    /// The address, of http or https.
    std::string url = {};
    /// The type of the document, as Content-Type has it.
    std::string type = {};
    /// Further fields, such as Authorization.
    std::vector<std::pair<std::string, std::string>> fields = {};
    /// The document; not null.
    std::shared_ptr<const std::string> body = {};
    /// How long all of it may take, with the answer.
    std::chrono::milliseconds timeout = std::chrono::seconds(10);
};

/// The outcome of sending a document.
struct document_receipt {
    /// The status of the answer; 0 where there is none.
    int status = 0;
    /// The delay that a busy server (503, 429) asks for.
    std::optional<std::chrono::seconds> retry_after = {};
    /// The body of the answer; empty where it was longer than 64 KiB or did not come in time.
    std::string answer = {};
    /// The reason why there is no answer: one line, for the log.
    std::string failure = {};
};

/// Takes the outcome of sending a document.
using receipt_receiver = std::function<void(document_receipt)>;

/// Sends a document by POST without blocking, and calls `done` once, on any thread, but not from within. Where it
/// throws, sending has not begun, and `done` is not called. The function may be called from any thread. See
/// `http::make_document_sender`.
using document_sender = std::function<void(const document_to_send& what, receipt_receiver done)>;

} // namespace partyline
