#pragma once

#include "session/backlog.hpp"
#include "session/slot.hpp"
#include "session/start_queue.hpp"

#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list_hook.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

class conversation;

/// A request whose handler has been started, and what that handler sees of it.
class served_request : public slot, public request_context, public boost::intrusive::list_base_hook<> {
public:
    /// `coalesce_above` as the backlog has it.
    explicit served_request(conversation& owner, std::size_t coalesce_above = 0) noexcept
        : owner_(owner), unsaid_(coalesce_above)
    {
    }
    virtual ~served_request() = default;

    /// Takes a request over, of which `from` is the envelope.
    void assign(const message& from, const partyline::method& to, const start_rule& by);
    /// Lets go of it.
    void clear();

    // Called on the session's executor.

    /// Ends what the handler awaits.
    virtual void emit_cancel() = 0;
    /// Whether there is something that the handler has said and the outbox had no room for. Of a handler that has ended.
    bool has_unsaid() const noexcept { return !unsaid_.empty(); }
    /// Takes the first of it; false when there is nothing.
    virtual bool take_said(said& out) = 0;
    /// Some of it has been taken: whoever waits for that may look again.
    virtual void on_said_taken() = 0;

    std::string_view method() const noexcept override;
    const request_id& id() const noexcept override { return slot::id; }
    bool cancelled() const noexcept override { return cause.load(std::memory_order_relaxed) != cancel_cause::none; }
    bool stopping() const noexcept override;
    sending progress(boost::json::value value) override;
    sending notify(std::string method, boost::json::value params) override;

    start_rule rule;
    std::unique_ptr<boost::asio::steady_timer> deadline;
    boost::intrusive::list_member_hook<> unheard; // stands among those that have said something not taken yet
    unsigned peer_waits = 0;                      // open ones
    bool is_slot_lent = false;

protected:
    std::any& session_user_data() noexcept override;

    // From where the handler runs.

    /// Sends a notification of this request, or keeps it until there is room.
    virtual void say(std::string_view method, std::string_view params, bool is_replaceable) = 0;
    /// Whether the handler is to wait before it says more; if so, `wake()` is called when it is worth looking again.
    virtual bool must_wait() = 0;
    /// Resumes everybody in `wait_for_room()`.
    void wake();

    conversation& owner_;
    backlog unsaid_;

private:
    class listed_wait;

    std::string_view progress_token() const noexcept;
    sending tell(std::string_view method, std::string_view params, bool is_replaceable);
    boost::asio::awaitable<void> wait_for_room();

    std::string called_as_; // the method's name where it is not the registered one (a fallback's)
    std::string token_;     // the progress token, where the request gave one
    std::vector<boost::asio::steady_timer*> waits_; // of those who wait for room; they never expire
};

} // namespace partyline
