// The link to a session, what is done with it by way of that, and the hooks of its start and end.
#include "session/calls/make_outgoing.hpp"
#include "session/conversation.hpp"
#include "session/serve/closable_executor.hpp"

#include <partyline/session/log.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/asio/detached.hpp>

#include <any>
#include <exception>
#include <utility>

namespace partyline {
namespace {

class conversation_link final : public session_link {
public:
    conversation_link(conversation& of, std::shared_ptr<closable_executor> executor)
        : of_(of.weak_from_this()), same_(of), executor_(std::move(executor)), budget_(of.context().options.budget),
          peer_(of.context().options.peer)
    {
    }

    bool post(std::function<void(live_session&)> function) override
    {
        return executor_->post([of = of_, &same = same_, function = std::move(function)] {
            if (const std::shared_ptr<request_host> hold = of.lock())
                same.visit(function);
        });
    }

    bool is_open() const noexcept override { return executor_->is_open(); }

    const std::shared_ptr<const peer_identity>& peer() const noexcept override { return peer_; }

    void log(std::string_view line) const noexcept override
    {
        if (const std::shared_ptr<request_host> hold = of_.lock())
            write_log(hold->context().options.log, line);
    }

    bool exposes_errors() const noexcept override
    {
        const std::shared_ptr<request_host> hold = of_.lock();
        return hold && hold->context().options.expose_errors;
    }

    std::shared_ptr<const access_view> access() const override
    {
        const std::shared_ptr<request_host> hold = of_.lock();
        return hold ? hold->context().access.view() : nullptr;
    }

    const std::shared_ptr<memory_budget>& budget() const noexcept override { return budget_; }

private:
    const std::weak_ptr<request_host> of_;
    conversation& same_; // valid while `of_` is
    const std::shared_ptr<closable_executor> executor_;
    const std::shared_ptr<memory_budget> budget_;
    const std::shared_ptr<const peer_identity> peer_;
};

/// Sends what is said meanwhile at once: this is the executor already.
class visited_session final : public live_session {
public:
    explicit visited_session(conversation& of) noexcept : of_(of) {}

    void use_methods(std::shared_ptr<const dispatcher> methods) override { of_.use_methods(std::move(methods)); }
    void use_access(std::shared_ptr<const access_view> view) override { of_.use_access(std::move(view)); }
    std::shared_ptr<const access_view> access() const override { return of_.context().access.view(); }
    void close() override { of_.close(); }
    bool has_room() const noexcept override { return of_.out().takes_calls(); }
    std::shared_ptr<lifecycle> session_lifecycle() const override { return of_.context().lifecycle; }

    // For `send_call` and the like.
    call_origin origin() const { return {of_.context().calling, of_.context().executor}; }
    void launch(const std::shared_ptr<outgoing_message>& message, error_code failed)
    {
        if (of_.prepare(message, failed))
            of_.start_call(message, nullptr);
    }

private:
    std::any& session_user_data() noexcept override { return of_.context().options.user_data; }

    void start_call(std::string method, call_params params, call_options options, call_handler done) override
    {
        send_call(*this, std::move(method), params, std::move(options), std::move(done));
    }
    void start_notify(std::string method, call_params params, notify_handler done) override
    {
        send_notification(*this, std::move(method), params, std::move(done));
    }
    void start_batch(call_batch calls, call_options options, batch_handler done) override
    {
        send_batch(*this, calls, std::move(options), std::move(done));
    }

    conversation& of_;
};

} // namespace

bool session_link::notify(std::string method, call_params params)
{
    return post([method = std::move(method), params = std::move(params)](live_session& now) {
        now.notify(method, params)(boost::asio::detached);
    });
}

void conversation::attach(host& transport)
{
    host_ = &transport;
    if (!context_.lifecycle)
        return;
    made_link_ = std::make_shared<conversation_link>(*this, session_executor_);
    context_.lifecycle->on_attached(made_link_);
}

void conversation::begin()
{
    link_ = made_link_ ? made_link_ : std::make_shared<conversation_link>(*this, session_executor_);
    if (context_.options.on_start)
        context_.options.on_start(link_);
    has_begun_ = true;
}

void conversation::tell_end() noexcept
try {
    if (std::exchange(has_begun_, false) && context_.options.on_end)
        context_.options.on_end(link_, context_.end.result());
} catch (...) {
    log_exception("on_end of a session threw: ", std::current_exception());
}

void conversation::visit(const std::function<void(live_session&)>& function) noexcept
{
    if (context_.end.has_ended())
        return;
    guarded([&] {
        visited_session now(*this);
        function(now);
    });
    drive();
}

} // namespace partyline
