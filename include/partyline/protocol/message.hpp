#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace partyline {

/// The problem of a text that is no valid message.
struct defect {
    /// The kinds of problems; `none`: there is no problem. `not_json` is no JSON, `invalid` is JSON but no message of
    /// JSON-RPC.
    enum class kind : std::uint8_t { none, not_json, invalid, too_deep, too_long, id_too_long, batch_too_long };
    /// The kind of the problem.
    kind what = kind::none;
    /// Plain words, a literal: "\"jsonrpc\" must be \"2.0\"".
    const char* reason = "";
    /// The place where the text stops being JSON, in bytes from its start (not_json).
    std::size_t offset = 0;
    /// The limit that was passed, and the value that passed it (the too_… and …_too_long kinds).
    std::size_t limit = 0;
    /// The value that passed that limit.
    std::size_t value = 0;
};

/// `reply` is a text that looks like a response, right or wrong, or an array of such that can't be read: it is never
/// answered (else two peers could storm each other). `bad` is a text that is no message. A `batch` has a problem where
/// it has too many elements, but no more than four times as many as it may: each of them can be refused then.
enum class message_type : std::uint8_t { request, notification, reply, batch, bad };

/// One message, taken apart but not copied: the views point into its text, and for escaped names and replaced
/// characters into the reader.
struct message {
    /// The kind of the message.
    message_type type = message_type::bad;
    /// The exact text of a usable id, also of a bad message that has one; empty without, and where a message that is no
    /// response is no JSON. (Of a message that is nested too deep, or a response that is no JSON, it stands in the
    /// reader.)
    std::string_view id;
    /// The key of the id: see `request_id::key`.
    std::string_view id_key;
    /// Decoded. (A lone surrogate is decoded to three bytes that are no UTF-8, which no method's name has.)
    std::string_view method;
    /// An array or an object; empty when absent or null. Its `to_value()` may have been worked out already: once.
    json_view params;
    /// The value of a response's `error`, when `is_error`, or else of its `result`.
    json_view outcome;
    /// Whether a response has an error.
    bool is_error = false;
    /// Whether a response that can't be read is an array of responses; then `id` is that of the first element that has
    /// one.
    bool is_array = false;
    /// Whether a `bad` message has an id and no other member that means anything, like a reply without result and
    /// error.
    bool is_hollow = false;
    /// Set for `bad`, for a response with something wrong in it, and for a batch of too many elements.
    defect problem;
};

/// The treatment of the escape of a lone surrogate (`"\\ud83d"`), which RFC 8259 has and UTF-8 has not: some languages
/// write such escapes for strings that were cut within a character, or names of files that are no UTF-8. As text these
/// strings are taken and passed on as they are, ids among them.
enum class lone_surrogates : std::uint8_t {
    /// No value is made of a string with one: `json_view::to_value` throws, typed params are refused with -32602, and
    /// calls whose result was to be a value fail with `errc::bad_reply`.
    refused,
    /// In params, results and errors, each reads as U+FFFD, the replacement character, also where they are taken as
    /// text.
    replaced,
};

/// Reads envelopes strictly, in one pass and without building a value (JSON-RPC 2.0 §4 to §6).
///
/// Every text must be followed by a NUL byte, as a `std::string`'s is: `text.data()[text.size()] == '\0'`. The
/// framing's messages are. (A batch's elements, which `read_element` takes, are followed by the rest of their checked
/// batch.)
///
/// Flow: `read()` each message; when it is a batch, `read_element()` each of `elements()`.
/// Thread safety: none. A reader belongs to one session.
class PARTYLINE_EXPORT message_reader {
public:
    /// Tells how params will be used before they are read.
    class params_hint {
    public:
        /// Whether the value of the params of a request for this method will be asked for: then it is built in the same
        /// pass that checks their text, where they come after the method, as they mostly do. The params have no more
        /// than `bytes` bytes.
        virtual bool wants_value(std::string_view method, std::size_t bytes) = 0;

    protected:
        ~params_hint() = default;
    };

    /// `ahead`, where there is one, lives longer than the reader.
    explicit message_reader(const limits& bounds, params_hint* ahead = nullptr,
                            lone_surrogates halves = lone_surrogates::refused);
    ~message_reader();
    message_reader(message_reader&&) noexcept;
    message_reader& operator=(message_reader&&) noexcept;

    /// Takes one message apart. The views are valid until the next call and as long as the text is.
    const message& read(std::string_view text);

    /// The elements of the batch that `read()` has just found, in order. Valid until the next `read()`.
    const std::vector<std::string_view>& elements() const noexcept;

    /// Takes an element of a batch apart. An array in a batch is `bad`.
    const message& read_element(std::string_view element);

    /// Finds `name` among the members of a checked object: the key and text of an id there, as cancellation names it.
    /// False when there is no such member, or its value is not an id that a request can have.
    bool find_id(json_view object, std::string_view name, std::string_view& text, std::string_view& key);

    /// Finds the value of the member `name` of a checked object; empty when there is none. Of duplicates the last wins.
    json_view find_member(json_view object, std::string_view name);
    /// Finds the value of the member `name` of the params of the message that has been read, whose text is still there;
    /// empty also where the params are no object. The params are read once, however often this is called.
    json_view find_param(std::string_view name);

    /// Expects a checked object, which has been found in a message, again in the next ones: the object is compared
    /// there and not read again. A copy is kept, until another is expected; not of one that has more than 4 KiB or is
    /// nested deeper than 8, nor of an empty view.
    void expect(json_view object);

    /// Releases the last message and the memory that reading takes, until the next text comes: other readers of this
    /// thread use it meanwhile. The expected object stays.
    void release_memory() noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace partyline
