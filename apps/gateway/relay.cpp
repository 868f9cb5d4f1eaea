#include "gateway/relay.hpp"

#include "gateway/upstream.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::json_text;
using partyline::request_context;

namespace gateway {
namespace {

// A text that has the word may ask for progress; what has it not can't.
bool may_ask_progress(const json_text& params, std::string_view name)
{
    return params.text().find(name) != std::string_view::npos;
}

partyline::rpc_error no_answer(const partyline::error_code& why, const std::string& details)
{
    constexpr std::size_t longest = 2000;
    json::object data{{"reason", why.message()}};
    if (!details.empty())
        data["details"] = details.substr(0, longest);
    return {partyline::error_codes::internal_error, "The server behind this gateway did not answer", std::move(data)};
}

// Of a server that asks: what it is answered.
const std::string& log_method()
{
    static const std::string name = "notifications/message";
    return name;
}

} // namespace

relay::relay(dialect speaks, std::shared_ptr<upstream> server) : profile_(speaks), server_(std::move(server))
{
    methods_.set_fallback(
        [this](request_context& context, json_text params) { return forward(context, std::move(params)); });
}

relay::~relay()
{
    server_->detach(*this);
}

std::shared_ptr<const partyline::dispatcher> relay::methods_of(const std::shared_ptr<relay>& one)
{
    one->server_->attach(one);
    return {one, &one->methods_};
}

partyline::task<json_text> relay::forward(request_context& context, json_text params)
{
    std::string method(context.method());
    if (context.id().empty()) {
        server_->tell(method, std::move(params));
        co_return json_text();
    }
    const number own = ++last_;
    open_.emplace(own, &context);
    struct closing {
        ~closing()
        {
            self.open_.erase(own);
            self.server_->forget_listen(self, own);
        }
        relay& self;
        number own;
    } const close{*this, own};
    if (method == "subscriptions/listen")
        server_->expect_listen(*this, own, std::string(context.id().text()));

    const partyline::call_options how = options_for(own, params);
    auto operation = server_->async_ask(std::move(method), std::move(params), how, asio::as_tuple(asio::deferred));
    auto [failed, reply] = co_await std::move(operation);
    if (failed == asio::error::operation_aborted)
        throw boost::system::system_error(failed);
    if (reply.error())
        throw partyline::rpc_error(*reply.error());
    if (failed)
        throw no_answer(failed, reply.details());
    co_return std::move(reply).value();
}

partyline::call_options relay::options_for(number of, const json_text& params)
{
    const partyline::profile& spoken = profile_;
    partyline::call_options how;
    how.asks_progress(may_ask_progress(params, spoken.progress_token));
    // On the server's executor; whether the request is still open only its own knows.
    how.on_progress([self = weak_from_this(), of](const json::value& value) {
        const auto one = self.lock();
        if (one && one->profile_.link())
            one->profile_.link()->post([self, of, value](partyline::live_session&) {
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
        found->second->progress(value);
    } catch (const std::invalid_argument&) { // it is no progress in this dialect
    }
}

partyline::caller& relay::way(partyline::live_session& session)
{
    if (open_.empty())
        return session;
    return *open_.rbegin()->second;
}

void relay::tell(const std::string& method, const json_text& params)
{
    if (!profile_.link())
        return;
    profile_.link()->post([self = weak_from_this(), method, params](partyline::live_session& session) {
        const auto one = self.lock();
        if (!one)
            return;
        partyline::caller& by = method == log_method() ? one->way(session) : session;
        by.async_notify(method, params, asio::detached);
    });
}

void relay::tell_in(number request, const std::string& method, const json_text& params)
{
    if (!profile_.link())
        return;
    profile_.link()->post([self = weak_from_this(), request, method, params](partyline::live_session&) {
        const auto one = self.lock();
        if (!one)
            return;
        if (const auto found = one->open_.find(request); found != one->open_.end())
            found->second->async_notify(method, params, asio::detached);
    });
}

void relay::start_ask(std::string method, json_text params, last_word::handler done)
{
    auto slot = asio::get_associated_cancellation_slot(done);
    const auto answer = std::make_shared<last_word>(std::move(done), server_->get_executor());
    const auto link = profile_.link();
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
        one->way(session).async_call(
            method, params, partyline::call_options(),
            asio::bind_cancellation_slot(answer->cancel().slot(),
                                         [answer](partyline::error_code failed, partyline::response reply) {
                                             answer->tell(failed, std::move(reply));
                                         }));
    });
}

} // namespace gateway
