#pragma once

#include "session/calls/posted_completion.hpp"
#include "session/output/waiting_output.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/session/call_options.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

class held_call_host;
class outlet;
class served_request;

/// What one element of a message of ours asks or tells.
struct outgoing_element {
    std::string method;
    std::string params; // valid JSON text, or empty
    bool is_call = true;
    /// What it comes to, where that is known: then it is not sent.
    std::unique_ptr<const response> answer = nullptr;
    /// What goes beside it, in a field of its POST.
    std::string proof_beside = {};
};

/// One message of ours that asks or tells the peer something, from the wish to its end: a call, a notification, or a
/// batch of them. Its calls have ids in a row.
///
/// Thread safety: made wherever somebody calls, then touched on the session's executor only.
class outgoing_message : public waiting_output, public std::enable_shared_from_this<outgoing_message> {
public:
    using clock = std::chrono::steady_clock;

    outgoing_message() = default;
    outgoing_message(const outgoing_message&) = delete;
    outgoing_message& operator=(const outgoing_message&) = delete;
    virtual ~outgoing_message() = default;

    virtual std::size_t size() const noexcept = 0;
    virtual const outgoing_element& element(std::size_t index) const noexcept = 0;
    virtual bool is_batch() const noexcept { return false; }
    /// Whether the peer is to answer something of it.
    virtual bool asks() const noexcept { return calls != 0; }
    /// Stands for what is yet to be sent: the peer never hears of it.
    virtual bool is_held() const noexcept { return false; }
    /// `by` has taken it, and it may have been settled.
    virtual void on_started(const std::shared_ptr<held_call_host>& by, const boost::asio::any_io_executor& executor);

    /// A call has come to its end. Told once for each; `index` counts calls.
    virtual void settle(std::size_t index, error_code failed, response reply) = 0;
    /// It is on its way.
    virtual void on_sent() {}
    /// It has no calls, and will not be sent.
    virtual void on_dropped(error_code) {}
    /// Has `cancel` called when whoever waits for the end cancels, on whatever thread. Before it is started.
    virtual void on_cancel(std::function<void()> cancel) = 0;

    bool has_call(std::uint64_t id) const noexcept { return id - first_id < calls; }
    const outgoing_element& call(std::size_t index) const noexcept;
    /// Bytes of the params and names.
    virtual std::size_t bytes() const noexcept;
    /// When its time is over; the largest: never.
    clock::time_point due() const noexcept;
    bool wants_progress() const noexcept { return options.on_progress() || options.idle_timeout().count() != 0; }

    std::uint64_t first_id = 0;
    std::size_t calls = 0; // how many ids it has
    std::size_t open = 0;  // of these
    call_options options;
    clock::time_point begun = clock::now();
    clock::time_point last_progress = begun;
    std::optional<boost::asio::steady_timer> timer;
    bool is_unanswered = false;     // it has been sent, is no batch, and has no reply
    bool is_admitted = false;       // it is sent also when no new ones are, since one that is held was let in
    outlet* via = nullptr;          // where it goes; set before it is started
    served_request* from = nullptr; // the request whose handler it is of, while that runs
    std::list<std::shared_ptr<outgoing_message>>::iterator
        among_its; // its place among that request's; only where `from` is set
    /// Its place among those that wait for room.
    std::optional<std::list<std::shared_ptr<outgoing_message>>::iterator> waiting;
    /// Its place among the batches that have no reply at all.
    std::optional<std::list<outgoing_message*>::iterator> unanswered;
};

class outgoing_call final : public outgoing_message {
public:
    outgoing_call(outgoing_element what, completion<error_code, response> done)
        : what_(std::move(what)), done_(std::move(done))
    {
        calls = 1;
    }

    std::size_t size() const noexcept override { return 1; }
    const outgoing_element& element(std::size_t) const noexcept override { return what_; }
    void settle(std::size_t, error_code failed, response reply) override
    {
        done_(shared_from_this(), failed, std::move(reply));
    }
    void on_cancel(std::function<void()> cancel) override { done_.on_cancel(std::move(cancel)); }

private:
    outgoing_element what_;
    completion<error_code, response> done_;
};

class outgoing_notification final : public outgoing_message {
public:
    outgoing_notification(outgoing_element what, completion<error_code> done)
        : what_(std::move(what)), done_(std::move(done))
    {
        what_.is_call = false;
    }

    std::size_t size() const noexcept override { return 1; }
    const outgoing_element& element(std::size_t) const noexcept override { return what_; }
    void settle(std::size_t, error_code, response) override {}
    void on_sent() override { done_(shared_from_this(), error_code()); }
    void on_dropped(error_code why) override { done_(shared_from_this(), why); }
    void on_cancel(std::function<void()> cancel) override { done_.on_cancel(std::move(cancel)); }

private:
    outgoing_element what_;
    completion<error_code> done_;
};

class outgoing_batch final : public outgoing_message {
public:
    outgoing_batch(std::vector<outgoing_element> elements, completion<error_code, std::vector<response>> done);

    std::size_t size() const noexcept override { return elements_.size(); }
    const outgoing_element& element(std::size_t index) const noexcept override { return elements_[index]; }
    bool is_batch() const noexcept override { return true; }
    void settle(std::size_t index, error_code failed, response reply) override;
    void on_sent() override;
    void on_dropped(error_code why) override { done_(shared_from_this(), why, {}); }
    void on_cancel(std::function<void()> cancel) override { done_.on_cancel(std::move(cancel)); }

private:
    std::vector<outgoing_element> elements_;
    std::vector<response> replies_;
    std::size_t unsettled_;
    error_code failed_; // of the first that did
    completion<error_code, std::vector<response>> done_;
};

} // namespace partyline
