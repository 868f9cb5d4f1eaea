#pragma once

#include "mcp/server/sessions/change_listener.hpp"
#include "mcp/wire/client_facts.hpp"
#include "server/log_throttle.hpp"
#include "session/budget_share.hpp"

#include <partyline/mcp/log_level.hpp>
#include <partyline/session/lifecycle.hpp>
#include <partyline/session/session_link.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::mcp {

class server_core;

/// What a server knows of one session. Each request is of the era that it shows: one that says its protocol version
/// itself is served as of 2026-07-28, any other one as of the session's handshake.
///
/// Thread safety: as a lifecycle, on the session's executor; `client()` once a request has been let in, `log_from()`,
/// the changes and `log()` from any thread.
class server_lifecycle final : public lifecycle,
                               public change_listener,
                               public std::enable_shared_from_this<server_lifecycle> {
public:
    explicit server_lifecycle(std::shared_ptr<server_core> of) : core_(std::move(of)) {}

    // lifecycle
    void on_attached(std::shared_ptr<session_link> own) override;
    ruling on_request(const message& m, message_reader& reader) override;
    ruling on_notification(const message& m, message_reader& reader) override;
    bool allows_batches() const override;
    std::string_view protocol_version(const message& m, message_reader& reader) const override;
    void on_answered(const answer_given& answer) override;
    void on_access_changed(const access_view* former, const access_view* now) noexcept override;

    /// What the handshake has told.
    const client_facts_ptr& client() const noexcept { return greeted_; }
    /// How severe messages for the client's log have to be, in the legacy era.
    mcp::log_level log_from() const noexcept { return log_from_.load(std::memory_order_relaxed); }
    void set_log_from(mcp::log_level from) noexcept { log_from_.store(from, std::memory_order_relaxed); }

    /// Throws `rpc_error` when there are too many.
    void subscribe(std::string uri);
    void unsubscribe(const std::string& uri);

    /// Adds an open `subscriptions/listen`, which gets the changes that the session gets. `bytes`: of its keys. Throws
    /// `rpc_error` when there are too many.
    void add_listener(topic_listener& added, std::size_t bytes);
    void remove_listener(const topic_listener& gone, std::size_t bytes) noexcept;
    /// Whether a publication of so many bytes may wait at a listener, in place of one with `freed` bytes. Where nothing
    /// else waits, only the budget bounds it.
    bool has_room_for(std::size_t bytes, std::size_t freed) const noexcept;
    void add_waiting(std::size_t bytes, std::size_t freed) noexcept;
    void remove_waiting(std::size_t bytes) noexcept;
    /// A publication was dropped for lack of room. Logs that once, until nothing waits and the next one has room.
    void log_untold(const topic& about);

    const std::shared_ptr<session_link>& link() const noexcept { return link_; }
    server_core& core() const noexcept { return *core_; }
    void log(std::string_view line) const noexcept;
    bool exposes_errors() const noexcept { return link_ && link_->exposes_errors(); }

    // change_listener
    void on_list_changed(feature_kind of) noexcept override;
    void on_methods_changed() noexcept override;
    void on_resource_updated(const std::string& uri) override;
    void on_published(const publication& what) override;

private:
    enum class stage : std::uint8_t { created, greeted, operating };
    enum class is_required : bool { no, yes }; // what a client can do
    /// Of a notification that is being sent. `outdated`: what it tells of has changed again. `due`: it has been sent
    /// since.
    enum class telling : std::uint8_t { on_its_way, outdated, due };
    using told_map = std::map<std::pair<std::string, std::string>, telling>; // by method and URI
    struct news {
        feature_marks lists{};
        bool has_other_methods = false;
        std::set<std::string> uris;
        std::map<std::pair<const topic*, std::string>, publication> published; // the last for each key
        std::size_t published_bytes = 0;
        std::shared_ptr<const topic> untold; // of the last publication that was dropped for lack of room
    };

    ruling rule_modern(const message& m, json_view meta, json_view version, message_reader& reader);
    ruling rule_legacy(const message& m, message_reader& reader);
    ruling greet(message_reader& reader);
    static client_facts_ptr read_modern(json_view meta, message_reader& reader, is_required said);
    client_facts_ptr facts_of_notification(message_reader& reader) const;
    void tell_ended_streams(live_session& session);
    void check_room_for(std::size_t bytes) const;
    void check_budget_for(std::size_t bytes) const;
    bool has_budget_for(std::size_t bytes, std::size_t freed = 0) const noexcept;
    void keep_published(const publication& what);
    void count() noexcept;
    void ask_to_catch_up() noexcept;
    void catch_up(live_session& session);
    void tell_lists(live_session& session, const feature_marks& changed);
    void tell_updated(live_session& session, const std::string& uri);
    void tell_listeners(const topic& about, const std::string& key, const told_params_ptr& params);
    void tell_again(live_session& session);
    void tell(live_session& session, const std::string& method, const std::string& uri);
    void send(live_session& session, told_map::iterator place);
    void on_told(told_map::iterator place) noexcept;

    const std::shared_ptr<server_core> core_;
    std::shared_ptr<session_link> link_;
    std::optional<budget_share> share_; // for what is kept of what the client has sent
    client_facts_ptr greeted_ = new client_facts();
    client_facts_ptr last_modern_; // what the last modern request has said
    std::atomic<mcp::log_level> log_from_ = mcp::log_level::info;
    stage stage_ = stage::created;
    std::vector<topic_listener*> listeners_;
    std::vector<std::string> ended_streams_; // ids of listen requests with a result, that are to be told of
    std::set<std::string> subscribed_;
    std::size_t subscribed_bytes_ = 0; // of URIs, and of the keys of listeners
    std::size_t waiting_bytes_ = 0;    // of publications, at the listeners
    log_throttle untold_log_;          // of publications that were dropped
    told_map under_way_;
    std::atomic<bool> is_behind_ = false; // there was no memory to have it catch up: the next request does
    std::mutex mutex_;                    // of what follows
    news news_;
    bool is_asked_to_catch_up_ = false;
};

} // namespace partyline::mcp
