#pragma once

#include "session/calls/make_outgoing.hpp"
#include "session/output/notification_source.hpp"
#include "session/output/unsent_notifications.hpp"
#include "session/requests/incoming_request.hpp"
#include "session/requests/start_queue.hpp"
#include "session/sender_facts.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list_hook.hpp>

#include <any>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline {

class request_host;
class served_request;

/// A request, as one that has notifications to be sent.
class request_source final : public notification_source {
public:
    explicit request_source(served_request& of) noexcept : of_(of) {}

    const incoming_request& subject() const noexcept override;
    bool take_unsent(notification_text& out) override;
    void on_unsent_taken() override;

private:
    served_request& of_;
};

/// What few requests have, and the others do not pay for.
struct request_extras {
    request_extras(served_request& of, std::size_t coalesce_above) noexcept : unsent(coalesce_above), source(of) {}

    std::string token;         // the progress token that the request gave
    std::string partial_token; // that for results in parts
    std::any facts;            // what the profile knows of it
    std::shared_ptr<const sent_fields> sender_fields;
    std::shared_ptr<const call_signer> signer; // where its peer has no principal; as long as the handler runs
    attachments attached;                      // by middleware and handler; for where the handler runs
    unsent_notifications unsent;
    std::list<async_event*> waits;                       // for room
    std::shared_ptr<boost::asio::steady_timer> deadline; // while the handler runs
    request_source source;                               // stands among those that have something to send, or not
    std::list<std::shared_ptr<outgoing_message>> calls;  // its handler's, that are open
    unsigned peer_waits = 0;                             // open ones, these calls among them
    bool is_slot_lent = false;

    /// They go on without the handler.
    void release_calls() noexcept;
};

/// A request whose handler has been started, and what that handler sees of it.
class served_request : public incoming_request, public request_context, public boost::intrusive::list_base_hook<> {
public:
    explicit served_request(request_host& owner) noexcept : owner_(owner) {}
    virtual ~served_request() = default;

    /// Takes a request over, of which `from` is the envelope.
    void assign(const message& from, const partyline::method& to, const start_rule& by);
    /// What has come beside it, by HTTP.
    void set_sender_fields(std::shared_ptr<const sent_fields> of) { more().sender_fields = std::move(of); }
    /// It is served as this one's.
    void set_signer(std::shared_ptr<const call_signer> by) { more().signer = std::move(by); }
    /// Reads what will be asked for later from the message, which goes away when the handler has suspended.
    void keep_tokens();
    /// Lets go of it.
    void clear();
    /// Its handler has ended; where that ran.
    void drop_attached() noexcept
    {
        if (extras_) [[unlikely]]
            extras_->attached.clear();
    }

    /// The rest of what the request needs, made when it is first asked for.
    request_extras& more();
    /// The same where there is such a rest.
    request_extras* extras() noexcept { return extras_.get(); }

    // Called on the session's executor.

    /// The session has ended without its answer, and refers to it no longer.
    virtual void on_given_up() noexcept {}
    /// Ends what the handler awaits.
    virtual void emit_cancel() = 0;
    /// Whether there are notifications of the handler that have not been sent. Takes no lock: an offloaded handler must
    /// have ended.
    bool has_unsent() const noexcept { return extras_ && !extras_->unsent.empty(); }
    /// Where that is taken from; null where there has been nothing.
    notification_source* unsent_source() const noexcept { return extras_ ? &extras_->source : nullptr; }
    /// Takes the first of it; false when there is nothing.
    virtual bool take_unsent(notification_text& out) = 0;
    /// Some of it has been taken: whoever waits for that may look again.
    virtual void on_unsent_taken() = 0;

    std::string_view method() const noexcept override { return method_name(); }
    const request_id& id() const noexcept override { return incoming_request::id; }
    bool cancelled() const noexcept override { return cause.load(std::memory_order_relaxed) != cancel_cause::none; }
    bool stopping() const noexcept override;
    bool takes_partial_results() override;
    const peer_identity& peer() const noexcept override;
    std::optional<std::string_view> http_field(std::string_view name) const noexcept override;
    std::shared_ptr<const access_view> access() const override;
    std::shared_ptr<session_link> link() const override;
    attachments* session_values() noexcept override;
    bool is_in_batch() const noexcept override { return bool(of_batch); }
    bool has_result() const noexcept override { return is_answered; }
    std::shared_ptr<lifecycle> session_lifecycle() const override;
    bool is_own_member(std::string_view name) const noexcept override;
    binding_policy binding() const noexcept override;
    std::size_t max_depth() const noexcept override;
    std::size_t max_message_bytes() const noexcept override;
    std::string_view metadata_name() const noexcept override;
    void note_tool_error() noexcept override { is_tool_error = true; }
    sending notify(std::string method, call_params params) override;

    // For what it tells and asks the peer: see make_outgoing.hpp.
    call_origin origin();
    void launch(const std::shared_ptr<outgoing_message>& message, error_code failed);

    start_rule rule;
    json_view
        input; // its params; valid until the handler has suspended or ended; empty when the tokens have been looked for

protected:
    std::any& session_user_data() noexcept override;
    attachments& attached_values() override { return more().attached; }
    const std::any* request_facts() const noexcept override;
    const trace_context* known_trace() const noexcept override { return record.trace(); }

    // From where the handler runs.

    /// How many bytes may be unsent before progress is coalesced.
    virtual std::size_t coalesce_above() const noexcept = 0;
    /// Sends a notification of this request, or keeps it until there is room.
    virtual void say(std::string_view method, std::string_view params, bool is_replaceable) = 0;
    /// Whether the handler is to wait before it says more; if so, `wake()` is called when it is worth looking again.
    virtual bool must_wait() = 0;
    /// Resumes everybody in `wait_for_room()`.
    void wake();
    /// Takes a call or a notification to the session's executor.
    virtual void take_to_session(const std::shared_ptr<outgoing_message>& message) = 0;

    request_host& owner_;

private:
    class listed_wait;

    void start_call(std::string method, call_params params, call_options options, call_handler done) override;
    void start_notify(std::string method, call_params params, notify_handler done) override;
    void start_batch(call_batch calls, call_options options, batch_handler done) override;

    sending tell_progress(const boost::json::value& value) override;
    sending tell_partial_result(const boost::json::value& value) override;
    std::string_view progress_token();
    sending tell_under(std::string_view token, const boost::json::value& value, bool is_replaceable);
    sending tell_around(std::string method, const call_params& params);
    sending tell(std::string_view method, std::string_view params, bool is_replaceable);
    boost::asio::awaitable<void> wait_for_room();

    std::unique_ptr<request_extras> extras_;
};

} // namespace partyline
