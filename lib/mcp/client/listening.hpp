#pragma once

#include "mcp/client/listen_stream.hpp"

#include <partyline/async/async_mutex.hpp>
#include <partyline/config.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/task.hpp>

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace partyline::mcp {

class client_core;

/// Has a server tell of changes, from 2026-07-28 on, by `subscriptions/listen`: one for the lists, and one for each
/// resource, or key of an extension's topic, that is subscribed to. What an open one covers can't be changed, and none
/// takes the place of another: a server may know one of them for a thing and a session, and forget the new one when the
/// old one ends (go-sdk 1.8). One that the server ends, or whose connection breaks, is opened again, see
/// `client_options::listen_pause`.
class PARTYLINE_EXPORT listening {
public:
    explicit listening(client_core& of);
    ~listening();

    /// Listens from now on to the lists that handlers were set for and the server tells of, if there are any.
    void start();
    task<void> subscribe(listen_subject what);
    task<void> unsubscribe(listen_subject what);
    /// `meta`: the `_meta` of the acknowledgment.
    void on_acknowledged(const boost::json::object& meta, const boost::json::object& honoured);
    /// Whether a notification with this `_meta` is of a subscription that is open, or of none. Only the id is compared,
    /// not the subject.
    bool is_open(const boost::json::object& meta) const;
    /// Whether a subscription is open, or may be the one that is being opened, whose acknowledgment may have come and
    /// wait to be taken. 0 is neither.
    bool may_be_open(std::uint64_t id) const;
    /// Ends it all; nothing is opened any more.
    void end();

private:
    class lock;
    using stream_ptr = std::shared_ptr<listen_stream>;

    bool is_kept(const stream_ptr& of) const;
    bool is_of_ours(std::uint64_t id) const;
    bool acknowledge(std::optional<std::uint64_t> id, const boost::json::object& honoured);
    bool is_over() const noexcept;
    task<async_mutex::lock> take_turn();
    task<void> open(stream_ptr opened);
    void begin(const stream_ptr& opened);
    void keep(const stream_ptr& opened);
    void drop_results(const listen_stream& about);
    task<void> open_lists(std::shared_ptr<client_core> hold, stream_ptr opened);
    void on_ended(const stream_ptr& ended, response reply);
    void begin_again(const stream_ptr& ended);
    task<void> open_again(std::shared_ptr<client_core> hold, stream_ptr ended);
    task<void> try_again(std::shared_ptr<client_core> hold, stream_ptr ended);
    void give_up(const listen_stream& ended);
    void tell_of_gap(const listen_stream& in);

    client_core& core_;                         // has this
    std::map<listen_subject, stream_ptr> kept_; // one that was lost stays until it has been opened again
    stream_ptr opening_;
    std::uint64_t last_id_ = 0; // of those that were acknowledged: later ones have greater ids
    async_mutex turns_;         // of what changes `kept_` in several steps
    bool has_ended_ = false;
};

} // namespace partyline::mcp
