#pragma once

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

namespace partyline {

class conversation;

/// A request whose handler has been started, and what that handler sees of it.
class served_request : public slot, public request_context, public boost::intrusive::list_base_hook<> {
public:
    explicit served_request(conversation& owner) noexcept : owner_(owner) {}
    virtual ~served_request() = default;

    /// Takes a request over, of which `from` is the envelope.
    void assign(const message& from, const partyline::method& to);

    /// Ends what the handler awaits. Called on the session's executor.
    virtual void emit_cancel() = 0;

    std::string_view method() const noexcept override;
    const request_id& id() const noexcept override { return slot::id; }
    bool cancelled() const noexcept override { return cause.load(std::memory_order_relaxed) != cancel_cause::none; }
    bool stopping() const noexcept override;
    sending progress(boost::json::value value) override;
    sending notify(std::string method, boost::json::value params) override;

    start_rule rule;
    std::unique_ptr<boost::asio::steady_timer> deadline;

protected:
    std::any& session_user_data() noexcept override;
    /// Sends a notification of this request, from where the handler runs.
    virtual void send(std::string_view method, std::string_view params) = 0;

    conversation& owner_;

private:
    std::string_view progress_token() const noexcept;

    std::string called_as_; // the method's name where it is not the registered one (a fallback's)
    std::string token_;     // the progress token, where the request gave one
};

} // namespace partyline
