#pragma once

#include "session/call_signer.hpp"
#include "session/requests/method_lookup.hpp"
#include "session/requests/quota_slot.hpp"
#include "session/requests/start_queue.hpp"
#include "session/session_context.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/lifecycle.hpp>
#include <partyline/session/served_event.hpp>

#include <any>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace partyline {

/// How far the peer is behind with reading, as admission has to know it.
struct output_pressure {
    bool is_full = false;      // replies wait for room
    bool is_held_full = false; // batches hold as much as there may be
    // Where it is full:
    bool is_at_cap = false;  // nothing more may be said at all
    bool has_called = false; // we have called the peer, which may wait for our reading as we for its
};

/// What is to become of a message.
namespace decisions {

struct ignore {
    request_disposition as = request_disposition::dropped; // or handled, where it has been of use
    std::shared_ptr<const call_signer> signer = {};        // of a notification that was signed
};
/// Its handler starts.
struct run {
    const method* target;
};
/// It waits for its turn.
struct wait {
    const method* target;
};
/// It is refused at once with this error.
struct refuse {
    std::string_view id; // empty: unknown
    error_object error;
    bool is_of_request = false; // the lifecycle is told of it
    std::shared_ptr<const call_signer> signer = {};
};
/// It gets this result at once, from the protocol itself.
struct answer {
    json_text result;
};
/// It cancels the request that is in flight under the id of this key.
struct cancel_request {
    std::string_view key;
};
/// Its elements are next.
struct open_batch {};
/// None of its elements runs; what in it answers us is taken all the same. Without an error: there is no room for what
/// they would be answered.
struct refuse_batch {
    std::optional<error_object> error = {};
};
/// There is no room for it, and it cannot be told: to drop it could leave our state wrong.
struct overload_of_notification {
    shortage of;
};
/// The conversation is over.
struct end_session {
    error_code result;
};

using other = std::variant<ignore, wait, refuse, answer, cancel_request, open_batch, refuse_batch,
                           overload_of_notification, end_session>;

} // namespace decisions

/// Most messages run: so that these pay for nothing else, the rest stands apart.
using decision = std::variant<decisions::run, decisions::other>;

/// What the profile makes of a message.
struct profile_ruling {
    std::optional<decision> instead = {};  // of serving it; empty: it is served
    std::any facts = {};                   // of what is served
    std::optional<int> watch_process = {}; // one without which there is no reason to go on
    std::string log_line = {};             // empty when there is nothing to say
};

/// Decides what becomes of the requests, notifications and batches that come.
///
/// Flow: where `has_rules()`, `rule()`; unless that says what to do, `decide()`. What is to run or to wait is entered
/// in `queue()` by the one who does it.
class admission final : public message_reader::params_hint {
public:
    admission(session_context& context, std::shared_ptr<const dispatcher> methods);

    method_lookup& methods() noexcept { return methods_; }
    /// Requests of the former methods have all ended.
    void forget_former_methods() noexcept
    {
        methods_.forget_former();
        queue_.forget_methods();
    }
    /// Requests have ended of all former tables but these, in order.
    void forget_former_methods_but(const std::vector<table_number>& in_use) noexcept
    {
        methods_.forget_former_but(in_use);
        queue_.forget_idle_methods();
    }
    start_queue& queue() noexcept { return queue_; }
    const start_queue& queue() const noexcept { return queue_; }

    /// The id that the answer to a bad message gives back: empty for one that the profile does not have.
    std::string_view returned_id(std::string_view id) const noexcept;

    /// Whether anything is answered in the state that the protocol is in.
    bool answers() const { return !context_.lifecycle || context_.lifecycle->answers(); }

    /// Whether the profile has a say in what comes.
    bool has_rules() const noexcept { return has_rules_; }
    /// What it says. `is_id_taken`: a request of that id is in flight; such a one is refused for that, and changes
    /// nothing.
    profile_ruling rule(const message& m, message_reader& reader, bool is_id_taken);
    /// The revision that the message is served by, about which `rule()` has just been asked; empty: not known.
    std::string_view protocol_version(const message& m, message_reader& reader) const
    {
        const bool is_served = m.type == message_type::request || m.type == message_type::notification;
        return is_served && context_.lifecycle ? context_.lifecycle->protocol_version(m, reader) : std::string_view();
    }
    /// What the message hook has refused.
    decision refuse(const message& m, const error_object& refusal);

    /// `size` is that of the message.
    decision decide(const message& m, message_reader& reader, std::size_t size, bool is_id_taken,
                    const output_pressure& pressure);

    bool wants_value(std::string_view method, std::size_t bytes) override;

    /// What came with the message that is decided about next, as its proof. Valid as long.
    void show_proof(std::string_view beside) noexcept { shown_proof_ = beside; }

    /// Whether nothing more may be taken in, since there is no room for what may come of it.
    bool must_pause(const output_pressure& pressure) const noexcept
    {
        return (pressure.is_full || pressure.is_held_full || !queue_.empty()) && is_at_limit(pressure);
    }

    /// Whether the request that was decided about last has a place in a quota, or a signer; what starts it or has it
    /// wait takes that over.
    bool has_belongings() const noexcept { return taken_ || signer_; }
    void drop_belongings() noexcept
    {
        taken_.release();
        signer_.reset();
    }
    /// To the request that is started or waits. Apart, so that requests without any pay for the question alone.
    template <class Request>
    [[gnu::noinline, gnu::cold]] void move_belongings(Request& to)
    {
        to.quota = std::move(taken_);
        if (!signer_)
            return;
        to.record.set_signer(signer_);
        to.set_signer(std::move(signer_));
    }

    /// What the params of a message name, where its method stands for several; for its record.
    std::string key_of(const message& m, message_reader& reader);

    /// Tells the lifecycle of a request that never got an object of its own.
    void note_answered(std::string_view id, std::string_view method, reply_error told);
    /// Tells the record of a request, and the lifecycle, how it has ended; the latter not once the session has ended.
    void note_end(const incoming_request& ended, request_disposition how, reply_error told, bool is_tool_error = false);
    /// The same of one that gets no answer.
    void note_unanswered(const incoming_request& ended);
    /// Tells the counters what waits in the queue.
    void count_waiting() noexcept;

private:
    profile_ruling drop_unanswered(const message& m);
    profile_ruling rule_request(const message& m, message_reader& reader, bool is_id_taken);
    profile_ruling rule_notification(const message& m, message_reader& reader);
    profile_ruling apply(ruling by, const message& m);
    bool has_wrong_params(const message& m) const noexcept;
    decision decide_request(const message& m, message_reader& reader, std::size_t size, bool is_id_taken,
                            const output_pressure& pressure);
    decision decide_other(const message& m, message_reader& reader, std::size_t size, const output_pressure& pressure);
    decision decide_notification(const message& m, message_reader& reader, std::size_t size,
                                 const output_pressure& pressure);
    decision decide_batch(const message& m, const output_pressure& pressure);
    decision judge(const message& m, message_reader& reader, const method& found, std::size_t size,
                   const output_pressure& pressure);
    struct signed_call;
    decision admit_proven(signed_call call);
    decision admit_signed(const signed_call& call, const std::shared_ptr<const access_grant>& signer);
    std::optional<decision> refuse_signer(const signed_call& call, const access_grant& signer, const method*& target);
    std::shared_ptr<const call_signer> make_signer(const std::shared_ptr<const access_grant>& grant) const;
    std::optional<error_object> take_from_quota(const message& m, const method& target,
                                                const std::shared_ptr<request_quota>& quota);
    decision deny(const message& m, error_object why);
    decision admit_within_quota(const message& m, const method& target, std::size_t size,
                                const output_pressure& pressure);
    decision admit(const message& m, const method& target, std::size_t size, const output_pressure& pressure);
    decision wait_or_refuse(const message& m, const method& target, std::size_t size, const output_pressure& pressure);
    decision refuse_request(const message& m, bool is_id_taken);
    decision refuse_for_shortage(const message& m, const shortage& of);
    bool may_refuse(const output_pressure& pressure) const noexcept;
    bool is_at_limit(const output_pressure& pressure) const noexcept;

    session_context& context_;
    method_lookup methods_;
    start_queue queue_;
    quota_slot taken_;
    std::shared_ptr<const call_signer> signer_;
    std::string_view shown_proof_;
    const bool has_rules_;
};

// Each request comes this way: where they stand, the compiler sees through them.

inline decision admission::decide(const message& m, message_reader& reader, std::size_t size, bool is_id_taken,
                                  const output_pressure& pressure)
{
    if (m.type == message_type::request) [[likely]]
        return decide_request(m, reader, size, is_id_taken, pressure);
    return decide_other(m, reader, size, pressure);
}

inline decision admission::decide_request(const message& m, message_reader& reader, std::size_t size, bool is_id_taken,
                                          const output_pressure& pressure)
{
    context_.counters.requests.add();
    const bool is_cancel = m.method == context_.protocol.cancel_method; // that is a notification
    const method* const target = is_id_taken || is_cancel ? nullptr : methods_.find(m.method);
    if (!target || target->is_notification) [[unlikely]]
        return refuse_request(m, is_id_taken);
    if (context_.access.is_limited()) [[unlikely]]
        return judge(m, reader, *target, size, pressure);
    return admit(m, methods_.selected(*target, m, reader), size, pressure);
}

inline decision admission::admit(const message& m, const method& target, std::size_t size,
                                 const output_pressure& pressure)
{
    if (!pressure.is_full && queue_.may_start({&target.options, size})) [[likely]]
        return decisions::run{&target};
    return wait_or_refuse(m, target, size, pressure);
}

} // namespace partyline
