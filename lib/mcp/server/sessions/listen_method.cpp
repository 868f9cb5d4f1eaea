#include "mcp/server/sessions/listen_method.hpp"

#include "mcp/server/catalogue.hpp"
#include "mcp/server/result_envelope.hpp"
#include "mcp/server/server_core.hpp"
#include "mcp/server/sessions/listen_filter.hpp"
#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/peer_wait.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/describe/class.hpp>
#include <boost/json/serialize.hpp>

#include <cstddef>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

struct listen_params {
    json::object notifications;
};
BOOST_DESCRIBE_STRUCT(listen_params, (), (notifications))

/// Keeps the changes that one `subscriptions/listen` asked for until its handler sends them. Of several changes of one
/// key the last is sent. On the session's executor.
class listener final : public topic_listener {
public:
    /// By the place among the wishes, and the key.
    using news = std::map<std::pair<std::size_t, std::string>, told_params_ptr>;

    listener(std::vector<wish> wishes, std::shared_ptr<server_lifecycle> session, const asio::any_io_executor& where)
        : wishes_(std::move(wishes)), session_(std::move(session)), has_news_(where)
    {
        session_->add_listener(*this, bytes_of(wishes_));
        try {
            join_topics();
        } catch (...) {
            leave();
            throw;
        }
    }
    ~listener()
    {
        session_->remove_waiting(waiting_bytes_);
        leave();
    }
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;

    const std::vector<wish>& wishes() const noexcept { return wishes_; }
    server_lifecycle& session() const noexcept { return *session_; }

    /// Completes with an error code when there is something to send, or when it is cancelled.
    auto wait() { return has_news_.async_wait(asio::as_tuple(asio::deferred)); }
    /// Takes the next change: the keys have turns. Empty where there is none. Its bytes count until `remove_waiting`.
    news::node_type take_next()
    {
        if (news_.empty()) {
            has_news_.reset();
            return {};
        }
        const auto behind = news_.upper_bound(last_);
        const auto next = behind == news_.end() ? news_.begin() : behind;
        last_ = next->first;
        return news_.extract(next);
    }
    void remove_waiting(const told_params_ptr& params) noexcept
    {
        waiting_bytes_ -= bytes_of(params);
        session_->remove_waiting(bytes_of(params));
    }

    void on_change(const topic& about, const std::string& key, const told_params_ptr& params) override
    {
        for (std::size_t at = 0; at != wishes_.size(); ++at)
            if (wishes_[at].about == &about && wishes_[at].keys.contains(key))
                add(about, {at, key}, params);
    }

private:
    void add(const topic& about, news::key_type place, const told_params_ptr& params)
    {
        const auto last = news_.find(place);
        const std::size_t bytes = bytes_of(params);
        const std::size_t freed = last == news_.end() ? 0 : bytes_of(last->second);
        if (!session_->has_room_for(bytes, freed)) {
            session_->log_untold(about);
            return;
        }
        news_.insert_or_assign(std::move(place), params);
        waiting_bytes_ = waiting_bytes_ - freed + bytes;
        session_->add_waiting(bytes, freed);
        has_news_.set();
    }
    void join_topics()
    {
        for (const wish& one : wishes_)
            if (one.core)
                for (const std::string& key : one.keys)
                    one.core->join(key, *this, session_);
    }
    void leave() noexcept
    {
        for (const wish& one : wishes_)
            if (one.core)
                for (const std::string& key : one.keys)
                    one.core->leave(key, *this);
        session_->remove_listener(*this, bytes_of(wishes_));
    }

    const std::vector<wish> wishes_;
    const std::shared_ptr<server_lifecycle> session_;
    async_event has_news_;
    news news_;
    news::key_type last_;           // the one that was taken last
    std::size_t waiting_bytes_ = 0; // of these, and of the one that is being sent
};

// The member of `_meta` that names the subscription, with the exact text of the id.
std::string subscription_meta(const request_context& rpc)
{
    return '"' + std::string(meta_names::subscription_id) + "\":" + std::string(rpc.id().text());
}

json_text told(const std::string& members, const std::string& meta)
{
    return json_text('{' + members + "\"_meta\":{" + meta + "}}");
}

json_text acknowledgment(const std::vector<wish>& honoured, const std::string& meta)
{
    return told("\"notifications\":" + json::serialize(write_filter(honoured)) + ',', meta);
}

json_text params_of(const topic& about, const std::string& key, const told_params_ptr& params, const std::string& meta)
{
    if (params)
        return told(params->members, params->meta + meta);
    return told(&about == &uris_topic ? "\"uri\":" + json::serialize(json::value(key)) + ',' : std::string(), meta);
}

// The check at the beginning may have another outcome by now.
bool may_be_told(const request_context& rpc, const wish& what, const std::string& key)
{
    if (what.of && what.of->is_hidden_from(rpc.access().get()))
        return false;
    return !what.core || what.core->may_listen(rpc, key);
}

// Params that are too long for a message do not end the request.
task<void> tell_one(request_context& rpc, const listener& own, const topic& about, json_text params)
{
    std::string method(about.notification);
    try {
        co_await rpc.notify(std::move(method), std::move(params));
    } catch (const std::invalid_argument& unsendable) {
        own.session().log(std::string(about.notification) + ": " + unsendable.what());
    }
}

task<void> tell(request_context& rpc, listener& own, std::string meta)
{
    for (listener::news::node_type next = own.take_next(); next && !rpc.cancelled(); next = own.take_next()) {
        const auto& [at, key] = next.key();
        const wish& what = own.wishes()[at];
        if (may_be_told(rpc, what, key)) {
            json_text params = params_of(*what.about, key, next.mapped(), meta);
            task<void> telling = tell_one(rpc, own, *what.about, std::move(params));
            co_await std::move(telling);
        }
        own.remove_waiting(next.mapped());
    }
}

task<json_text> listen(request_context& rpc, std::unique_ptr<listener> own)
{
    const peer_wait takes_no_slot(rpc);
    const std::string meta = subscription_meta(rpc);
    json_text params = acknowledgment(own->wishes(), meta);
    co_await rpc.notify("notifications/subscriptions/acknowledged", std::move(params));
    while (!rpc.cancelled()) {
        co_await own->wait();
        if (rpc.cancelled())
            break;
        task<void> telling = tell(rpc, *own, meta);
        co_await std::move(telling);
    }
    // Input has ended, or the session does. After a cancel by the client this result is not sent.
    byte_buffer result;
    result.append("{}");
    add_envelope(result, {.meta_members = meta}, own->session().core().facts());
    co_return json_text(json_view::checked(result.view()));
}

// The listener joins its topics before anything is awaited.
task<json_text> start_listening(const catalogue& of, request_context& rpc, const listen_params& given)
{
    std::shared_ptr<server_lifecycle> session = session_of(rpc);
    if (!session || !session->link())
        throw rpc_error(partyline::error_codes::internal_error, "This session has not been prepared by the server");
    std::vector<wish> wishes = read_filter(given.notifications, of, rpc);
    return listen(rpc, std::make_unique<listener>(std::move(wishes), std::move(session), rpc.get_executor()));
}

} // namespace

void add_listen_method(method_table& to, const catalogue& of)
{
    method_options how;
    how.open_ended = true;
    how.binding.unknown = unknown_members::ignored;
    // By value: of a reference the arguments would stay as long as the client listens.
    const auto serve = [&of](request_context& rpc, listen_params given) { return start_listening(of, rpc, given); };
    to.add(std::string(methods::listen), serve, std::move(how));
}

} // namespace partyline::mcp
