#pragma once

#include <partyline/protocol/message.hpp>
#include <partyline/session/served_event.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace partyline {

struct call_signer;
struct session_context;

/// What `session_options::on_served` is told of one request or notification. It is told once: by `end()`, or as lost by
/// `lose()`, at the latest when this is destroyed. Empty, and without cost, where there is no such hook.
///
/// Flow: made when the message is read; `note_answer()` when its answer is written, then `end()`.
/// Thread safety: everything on the session's executor, but for `trace()`, which stays as it is until this is assigned
/// to or destroyed.
class served_record {
public:
    /// A message that has been read.
    struct arrived_message {
        const message& what;
        std::size_t bytes;
        bool is_element;
        outlet_number outlet;
        std::chrono::steady_clock::time_point at;
    };

    served_record() noexcept = default;
    /// The session has a hook, and lives longer. Where there is no memory, the hook is told of a lost message before
    /// that is thrown.
    served_record(const session_context& session, const arrived_message& message);
    served_record(served_record&& other) noexcept : facts_(std::exchange(other.facts_, nullptr)) {}
    served_record& operator=(served_record&& other) noexcept
    {
        std::swap(facts_, other.facts_);
        other.drop();
        return *this;
    }
    ~served_record() { drop(); }

    explicit operator bool() const noexcept { return facts_; }

    // Of one that is not empty.

    void set_key(std::string key) noexcept;
    void set_trace(trace_context trace) noexcept;
    void set_protocol_version(std::string version) noexcept;

    // Nothing happens where it is empty, or has been told.

    /// Who has signed it, where its peer has no principal.
    void set_signer(std::shared_ptr<const call_signer> by) const noexcept
    {
        if (facts_) [[unlikely]]
            keep_signer(std::move(by));
    }

    /// Our part of the trace; null where there is none.
    const trace_context* trace() const noexcept { return facts_ ? known_trace() : nullptr; }
    /// The answer has been written: a result, or an error of this code.
    void note_answer(std::optional<int> error, std::size_t bytes) const noexcept
    {
        if (facts_) [[unlikely]]
            keep_answer(error, bytes);
    }
    /// The code of an error that nobody is answered: that of a notification.
    void note_error(int code) const noexcept
    {
        if (facts_) [[unlikely]]
            keep_error(code);
    }
    void end(request_disposition how, bool is_tool_error = false) const noexcept
    {
        if (facts_) [[unlikely]]
            tell(how, is_tool_error);
    }
    /// The session ends without its answer.
    void lose() const noexcept { end(request_disposition::lost); }

private:
    struct facts;

    const trace_context* known_trace() const noexcept;
    void keep_signer(std::shared_ptr<const call_signer> by) const noexcept;
    void keep_answer(std::optional<int> error, std::size_t bytes) const noexcept;
    void keep_error(int code) const noexcept;
    void tell(request_disposition how, bool is_tool_error) const noexcept;
    void drop() noexcept
    {
        if (facts_) [[unlikely]]
            destroy();
    }
    // Apart, so that requests without a record pay for the question alone.
    [[gnu::noinline, gnu::cold]] void destroy() noexcept;

    facts* facts_ = nullptr;
};

} // namespace partyline
