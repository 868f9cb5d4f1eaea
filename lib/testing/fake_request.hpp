#pragma once

#include "session/sender_facts.hpp"
#include "testing/test_loop.hpp"

#include <partyline/testing/fake_context.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <any>
#include <atomic>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::test::detail {

/// A coroutine that a `fake_context` has started.
struct handler_run {
    bool has_started = false; // no cancel before: Asio would let the exception out of the loop
    bool is_done = false;
    std::exception_ptr thrown;
    boost::asio::cancellation_signal cancel;
    std::weak_ptr<fake_request> owner;
};

/// The request of a `fake_context`, and the peer that it came from.
struct fake_request : std::enable_shared_from_this<fake_request> {
    explicit fake_request(boost::asio::io_context* given) : loop(given) {}

    void spawn(task<void> handler, const std::shared_ptr<handler_run>& run);
    /// Has it emitted where handlers run, and never from within one.
    void post_cancel();

    void ask(const std::string& name, const call_params& params, call_handler done);
    void ask(const call_batch& calls, batch_handler done);
    error_code record_notification(const std::string& name, const call_params& params);
    /// The calls that wait for ever, in words behind "; "; empty without.
    std::string unanswered_text() const;

    test_loop loop;
    std::string method = "method";
    request_id id{1};
    binding_policy binding;
    std::atomic<bool> is_cancelled = false;
    std::atomic<bool> is_stopping = false;
    bool takes_partial_results = false;
    peer_identity peer;
    sent_fields http_fields;
    std::shared_ptr<const access_view> access;
    std::shared_ptr<session_link> link;
    std::any user_data;
    attachments attached;
    std::any facts;
    std::map<std::string, fake_context::answer_function> answers; // an empty function never answers

    std::vector<boost::json::value> progress;
    std::vector<boost::json::value> partial_results;
    std::vector<recorded_notification> notifications;
    std::vector<recorded_call> calls;

private:
    struct unanswered_call {
        std::string method;
        std::shared_ptr<void> completion;
    };

    void emit_cancel();
    std::optional<response> answer(const std::string& name, const call_params& params);
    template <class Handler, class Reply>
    void complete(const std::string& unanswered, Handler done, error_code failed, Reply reply);

    std::vector<std::weak_ptr<handler_run>> runs_;
    std::list<unanswered_call> unanswered_;
};

} // namespace partyline::test::detail
