#include "gateway/relay.hpp"

#include "gateway/either_protocol.hpp"
#include "gateway/filtered_reply.hpp"
#include "gateway/judged_request.hpp"
#include "gateway/member_text.hpp"
#include "gateway/peer_member.hpp"
#include "gateway/trace_member.hpp"
#include "gateway/upstream.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/profile.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>

#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::json_text;
using partyline::request_context;

namespace gateway {
namespace {

constexpr const partyline::profile* known_profiles[] = {&partyline::plain_profile, &mcp_profile};

bool asks_for_log_lines(const json_text& params)
{
    return !rare_member_text(params, {"_meta", "io.modelcontextprotocol/logLevel"}).empty();
}

void note_end(command_line::observed_call* observed, const answer& got) noexcept
{
    if (observed && got.is_own)
        observed->discard();
    else if (observed)
        observed->end(got.failed, got.reply);
}

} // namespace

/// A request while it is being forwarded.
class relay::opened {
public:
    opened(relay& by, request_context& context, const json_text& params)
        : by_(by), context_(context), own_(++by.last_), is_listen_(context.method() == listen_method)
    {
        try {
            by_.open_.emplace(own_, this);
            by_.by_key_.emplace(context.id().key(), this);
            if (by_.server_->is_shared())
                by_.server_->note_request(by_, own_, {is_listen_, asks_for_log_lines(params)});
        } catch (const std::bad_alloc&) {
            leave();
            throw;
        }
    }
    ~opened() { leave(); }
    opened(const opened&) = delete;
    opened& operator=(const opened&) = delete;

    request_context& context() const noexcept { return context_; }
    asio::cancellation_signal& cancel() noexcept { return cancel_; }
    number own() const noexcept { return own_; }
    bool is_listen() const noexcept { return is_listen_; }
    void note_asked() noexcept { how_ = log_recipients::outcome::unknown; }
    void note_answered() noexcept { how_ = log_recipients::outcome::answered; }
    /// The server says what it tells of in a subscription.
    void note_acknowledged(const json_text& params)
    {
        lists_.clear();
        for (const std::string_view list : {"tools", "prompts", "resources"})
            if (member_text(params, {"notifications", std::string(list) + "ListChanged"}) == "true")
                lists_.emplace_back(list);
    }
    /// Of a subscription: the lists whose changes it is about.
    const std::vector<std::string>& lists() const noexcept { return lists_; }

private:
    void leave() noexcept
    {
        by_.by_key_.erase(context_.id().key());
        by_.open_.erase(own_);
        by_.server_->note_end(by_, own_, how_);
    }

    relay& by_;
    request_context& context_;
    asio::cancellation_signal cancel_; // of the call to the server
    const number own_;
    const bool is_listen_;
    std::vector<std::string> lists_;
    log_recipients::outcome how_ = log_recipients::outcome::answered; // before it is asked, too
};

relay::relay(protocol speaks, std::shared_ptr<upstream> server)
    : relay(std::make_shared<relay_profile>(speaks), std::move(server))
{
    if (speaks == protocol::either)
        profile_->on_mcp([by = server_] { by->speak_mcp(); });
}

relay::relay(std::shared_ptr<relay_profile> of, std::shared_ptr<upstream> server)
    : profile_(std::move(of)), server_(std::move(server))
{
    profile_->on_access_changed(this, [this] { tell_other_lists(); });
}

std::shared_ptr<relay> relay::within(std::shared_ptr<relay_profile> conversation, std::shared_ptr<upstream> server)
{
    const std::shared_ptr<relay> one(new relay(std::move(conversation), std::move(server)));
    one->server_->attach(one);
    return one;
}

partyline::method_table relay::make_methods(const std::shared_ptr<relay>& one)
{
    const auto pass_on = [one](request_context& context, json_text params) {
        return one->forward(context, std::move(params));
    };
    partyline::method_table made;
    made.set_fallback(pass_on);
    if (one->profile_->speaks() != protocol::plain)
        add_listen(made, pass_on);
    if (one->profile_->speaks() == protocol::mcp && !one->server_->is_shared())
        add_handshake(made, pass_on);
    return made;
}

relay::~relay()
{
    profile_->forget(this);
    server_->detach(*this);
}

std::shared_ptr<const partyline::dispatcher> relay::methods_of(const std::shared_ptr<relay>& one)
{
    const auto methods = std::make_shared<relay_methods>(make_methods(one));
    one->server_->attach(one);
    return methods;
}

void relay::close_session()
{
    if (profile_->link())
        profile_->link()->post([](partyline::live_session& session) { session.close(); });
}

partyline::task<json_text> relay::forward(request_context& context, json_text params)
{
    std::string method(context.method());
    params = sent_params(context, std::move(params));
    if (context.id().empty())
        co_return co_await forward_notification(std::move(method), traced_params(context, std::move(params), nullptr));
    opened open(*this, context, params);
    co_await announce(open, params);
    partyline::call_options how = options_for(open.own(), params);
    const std::unique_ptr<command_line::observed_call> observed =
        server_->observe(context, params, profile_->revision());
    params = traced_params(context, std::move(params), observed.get());
    open.note_asked();
    answer got = co_await server_->ask(*this, method, std::move(params), std::move(how), open.cancel());
    note_end(observed.get(), got);
    if (!got.failed)
        open.note_answered();
    if (got.failed == asio::error::operation_aborted)
        throw boost::system::system_error(got.failed);
    if (got.reply.error())
        throw partyline::rpc_error(*got.reply.error());
    if (got.failed)
        throw server_->no_answer(got.failed, got.reply.details());
    if (method == "initialize")
        note_greeted(got.reply.value());
    if (context.has_trace() && method == call_tool_method && rare_member_text(got.reply.value(), {"isError"}) == "true")
        context.note_tool_error();
    co_return seen_result(context, open, std::move(got.reply).value());
}

void relay::note_greeted(const json_text& result)
{
    is_greeted_ = true;
    profile_->note_greeted(result);
}

// A server that several clients share is greeted for all of them.
json_text relay::sent_params(request_context& context, json_text params) const
{
    const std::string_view method = context.method();
    const std::shared_ptr<const partyline::access_view> by = context.access();
    const bool is_end_of_own = method == "resources/unsubscribe" && server_->is_watching(*this, params);
    if (by && !is_end_of_own)
        params = judged_params(*by, method, std::move(params));
    const bool is_for_all = method == "initialize" && server_->is_shared();
    if (server_->is_told_peers() && !context.id().empty() && !is_for_all)
        params = with_peer(params, context.peer());
    return params;
}

// Where this session reads no traces, what the client tells passes as it is. A greeting may be repeated later.
json_text relay::traced_params(request_context& context, json_text params,
                               const command_line::observed_call* observed) const
{
    if (!context.has_trace() || context.method() == "initialize")
        return params;
    if (!server_->is_told_traces() && context.trace().parent_id().empty())
        return params;
    return with_trace(std::move(params), observed ? observed->trace() : context.trace());
}

json_text relay::seen_result(const request_context& context, const opened& open, json_text result) const
{
    if (const std::shared_ptr<const partyline::access_view> by = context.access())
        result = filtered_reply(*by, context.method(), std::move(result));
    if (!open.is_listen())
        return result;
    const std::string_view id = member_text(result, {"_meta", subscription_member}); // the server's, for ours
    return id.empty() ? result : with_replaced(result, id, context.id().text());
}

// Cancels of the protocol that the session speaks it takes itself; here come those of the other one. A server knows a
// request by another id than its client, and so the session with the server tells it, by that.
partyline::task<json_text> relay::forward_notification(std::string method, json_text params)
{
    for (const partyline::profile* const one : known_profiles) {
        if (method == one->cancel_method) {
            partyline::message_reader reader{partyline::limits()};
            if (params.text().starts_with('{'))
                cancel(one->read_cancel(partyline::json_view::checked(params.text()), reader));
            co_return json_text();
        }
        if (method == one->progress_method && server_->is_shared())
            co_return json_text(); // such a server has asked nobody
    }
    co_await server_->tell(std::move(method), std::move(params));
    co_return json_text();
}

void relay::cancel(std::string_view key)
{
    if (const auto found = by_key_.find(key); !key.empty() && found != by_key_.end())
        found->second->cancel().emit(asio::cancellation_type::terminal);
}

std::string_view relay::token_of(const json_text& params) const
{
    const partyline::profile& spoken = *profile_;
    return spoken.token_parent.empty() ? rare_member_text(params, {spoken.progress_token})
                                       : rare_member_text(params, {spoken.token_parent, spoken.progress_token});
}

// What the server may name: subscriptions, and what clients that share it have given a token.
partyline::task<> relay::announce(opened& open, const json_text& params)
{
    named_request own;
    own.by = this;
    own.number = open.own();
    if (open.is_listen())
        own.client_id = open.context().id().text();
    if (profile_->speaks() == protocol::mcp && server_->is_shared())
        own.client_token = token_of(params);
    if (!own.client_id.empty() || !own.client_token.empty())
        co_await server_->expect_named(std::move(own));
}

partyline::call_options relay::options_for(number of, const json_text& params)
{
    partyline::call_options how;
    how.asks_progress(!token_of(params).empty());
    // On the server's executor; whether the request is still open only its own knows.
    how.on_progress([self = weak_from_this(), of](const json::value& value) {
        const auto one = self.lock();
        if (one && one->profile_->link())
            one->profile_->link()->post([self, of, value](partyline::live_session&) {
                if (const auto still = self.lock())
                    still->tell_progress(of, value);
            });
    });
    return how;
}

void relay::tell_progress(number of, const json::value& value)
{
    const auto found = open_.find(of);
    if (found == open_.end())
        return;
    try {
        found->second->context().progress(value);
    } catch (const std::invalid_argument&) { // it is no progress in this protocol
    }
}

partyline::caller& relay::way(partyline::live_session& session)
{
    if (open_.empty())
        return session;
    return open_.rbegin()->second->context();
}

void relay::tell(const std::string& method, const json_text& params, const receipt& kept)
{
    if (!profile_->link())
        return;
    profile_->link()->post([self = weak_from_this(), method, params, kept](partyline::live_session& session) {
        const auto one = self.lock();
        if (!one || !may_hear(session.access().get(), method, params))
            return;
        partyline::caller& by = method == log_method ? one->way(session) : session;
        by.notify(method, params)([kept](partyline::error_code, const partyline::call_result<void>&) {});
    });
}

void relay::tell_other_lists()
{
    const auto changed = [](const std::string& list) { return "notifications/" + list + "/list_changed"; };
    if (is_greeted_)
        for (const std::string& list : server_->changing_lists())
            tell(changed(list), json_text(), {});
    for (const auto& [own, open] : open_) {
        const std::string id(open->context().id().text());
        const json_text params("{\"_meta\":{\"" + std::string(subscription_member) + "\":" + id + "}}");
        for (const std::string& list : open->lists())
            tell_in(own, changed(list), params, {});
    }
}

void relay::tell_in(number request, const std::string& method, const json_text& params, const receipt& kept)
{
    if (!profile_->link())
        return;
    profile_->link()->post([self = weak_from_this(), request, method, params, kept](partyline::live_session& session) {
        const auto one = self.lock();
        if (!one || !may_hear(session.access().get(), method, params))
            return;
        const auto found = one->open_.find(request);
        if (found == one->open_.end())
            return;
        if (method == "notifications/subscriptions/acknowledged")
            found->second->note_acknowledged(params);
        partyline::caller& asker = found->second->context();
        asker.notify(method, params)([kept](partyline::error_code, const partyline::call_result<void>&) {});
    });
}

void relay::start_ask(std::string method, json_text params, call_completion::handler done)
{
    auto slot = asio::get_associated_cancellation_slot(done);
    const auto answer = std::make_shared<call_completion>(std::move(done), server_->get_executor());
    const auto link = profile_->link();
    if (!link)
        return; // which tells
    if (slot.is_connected()) {
        slot.assign([link, known = std::weak_ptr(answer)](asio::cancellation_type) {
            link->post([known](partyline::live_session&) {
                if (const auto one = known.lock())
                    one->cancel().emit(asio::cancellation_type::all);
            });
        });
    }
    link->post([self = weak_from_this(), answer, method = std::move(method),
                params = std::move(params)](partyline::live_session& session) {
        const auto one = self.lock();
        if (!one || answer->is_told())
            return;
        one->way(session).call(method, params)(asio::bind_cancellation_slot(
            answer->cancel().slot(), [answer](partyline::error_code failed, partyline::response reply) {
                answer->tell(failed, std::move(reply));
            }));
    });
}

} // namespace gateway
