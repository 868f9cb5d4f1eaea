#pragma once

#include "http/serve/spare_memory.hpp"
#include "http/sessions/event_log.hpp"
#include "http/sessions/event_recorder.hpp"
#include "session/budget_share.hpp"
#include "session/output/outlet.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace partyline::http {

class http_service;
class post_exchange;
class stream_reader;

/// One stream of events of a session: what is said in answer to one POST, or besides all of them. It goes on without a
/// connection, and one that comes later gets what it missed.
///
/// What a reader has still to send, or an event store that keeps up has still to get, is part of the server's budget,
/// and never forgotten. Everything else is spare: it is kept for a client that comes back, and goes first when memory
/// is short.
///
/// Where the server has an event store, events are appended to it as well. A store that is behind slows down who says
/// them, as a reader does.
///
/// Flow: `collect()` whenever there may be something in the outlet; the reader sends what the log has. A reader that is
/// behind has the outlet fill up, and that slows down who says it.
class session_stream final : private spare_memory::entry, private event_recorder::user {
public:
    /// The session, which has its streams. It lives longer.
    class owner {
    public:
        /// The stream is complete and has no reader, so that it is kept for nobody but a client that comes back; or it
        /// has one again.
        virtual void on_kept(session_stream& one, bool is_kept) noexcept = 0;
        /// There is no memory to keep it.
        virtual void forget(session_stream& one) noexcept = 0;
        /// The event store has been told of more of it, or has failed: there may be room for more.
        virtual void on_recorded(session_stream& one) noexcept = 0;

    protected:
        ~owner() = default;
    };

    /// `store`: null, or by what its events are appended to the event store, as those of `key`.
    session_stream(std::uint64_t number, http_service& core, owner& session,
                   std::shared_ptr<store_calls> store = nullptr, event_stream_key key = {});

    const event_log& log() const noexcept { return log_; }
    /// What it takes of memory when it is complete.
    std::size_t bytes() const noexcept;

    /// The POST that it answers, while that is under way.
    post_exchange* post() const noexcept { return post_; }
    void set_post(post_exchange* one) noexcept { post_ = one; }

    /// Moves what the outlet has to the log, as far as it may; true when that was something.
    bool collect(outlet& from);

    /// Nothing more will be said. Its session may let go of it: the caller holds it.
    void complete() noexcept;
    bool is_complete() const noexcept { return is_complete_; }

    /// What sends it over a connection; null where there is none. As in `complete()`, the caller holds it.
    stream_reader* reader() const noexcept { return reader_; }
    void set_reader(stream_reader* one) noexcept;

    /// The next event to be sent.
    std::uint64_t unsent() const noexcept { return unsent_; }
    /// Whether there is something to be sent, by the reader that there is or the next one.
    bool has_unsent() const noexcept { return unsent_ != log_.next(); }
    /// Appends about `most` bytes of it.
    void send(byte_buffer& out, std::size_t most);
    /// What is to be sent next is this event; false where it is not kept.
    bool rewind(std::uint64_t event) noexcept;
    /// Its session keeps it no longer: the event store gets what it has not got yet, by one last call.
    void hand_over() noexcept;
    /// The event store has been told of more of it, or has failed. The caller holds it.
    void note_recorded() noexcept { settle(); }
    /// Its session ends: nothing more is appended to the event store.
    void stop_recording() noexcept { recorder_.reset(); }
    /// Whether events are being appended there, which may be found soon.
    bool is_recording() const noexcept { return recorder_ && recorder_->is_waited_for(); }

private:
    bool has_room() const noexcept;
    void append(std::string_view event);
    void count_unsent() noexcept;
    void settle() noexcept;
    std::uint64_t needed() const noexcept;
    void forget() noexcept override;
    void on_recorded() noexcept override { session_.on_recorded(*this); }
    std::size_t needed_bytes() const noexcept;

    const http_service& core_;
    owner& session_;
    event_log log_;
    std::shared_ptr<event_recorder> recorder_; // null: there is no event store
    stream_reader* reader_ = nullptr;
    post_exchange* post_ = nullptr;
    std::uint64_t unsent_ = 1;     // the next event to be sent
    std::size_t unsent_bytes_ = 0; // that the reader has to send; 0 without one
    budget_share share_;           // for these, and those that the event store has to get
    bool is_complete_ = false;
    bool is_kept_ = false;
};

} // namespace partyline::http
