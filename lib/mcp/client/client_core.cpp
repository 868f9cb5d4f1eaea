#include "mcp/client/client_core.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_lifecycle.hpp"
#include "mcp/client/handshake.hpp"
#include "mcp/client/input_requests.hpp"
#include "mcp/client/peer_methods.hpp"
#include "mcp/wire/methods.hpp"
#include "session/current_exception.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/mcp/profile.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

class client_protocol final : public base_protocol {
public:
    std::shared_ptr<lifecycle> make_lifecycle() const override { return std::make_shared<client_lifecycle>(); }
};

constexpr client_protocol client_profile;

client_lifecycle& lifecycle_of(const session& one)
{
    return dynamic_cast<client_lifecycle&>(*one.session_lifecycle());
}

// Of the one that is being handled; empty where there is no memory for it.
std::string text_of_exception() noexcept
{
    try {
        return current_exception_text();
    } catch (...) {
        return {};
    }
}

} // namespace

session_options client_session_options(const client_options& of)
{
    session_options made = of.session;
    made.profile = &client_profile;
    return made;
}

client_core::client_core(session over, client_options options)
    : options_(std::move(options)), executor_(over.get_executor()), session_(std::move(over)), ended_(executor_),
      listening_(std::make_unique<listening>(*this)), results_(options_.cache_bytes), outputs_(options_.max_list_bytes),
      tool_turns_(executor_)
{
}

client_handlers& client_core::handlers_to_set()
{
    if (is_set_up_)
        throw std::logic_error("the handlers of an MCP client are set before it is started");
    return handlers_;
}

void client_core::declare(declared_extension added)
{
    std::vector<declared_extension>& all = handlers_to_set().extensions;
    for (const declared_extension& known : all) {
        require_different(known.name, *known.methods, added.name, *added.methods);
        for (const auto& [of, function] : added.options.results)
            if (known.options.results.contains(of))
                throw std::invalid_argument("the extension \"" + known.name + "\" makes results of " + of.first +
                                            " of the type \"" + of.second + "\" already");
    }
    all.push_back(std::move(added));
}

const json::object* client_core::served_extension(std::string_view name) const noexcept
{
    if (!has_started_)
        return nullptr;
    for (const declared_extension& one : handlers_.extensions)
        if (one.name == name && server_->revision < one.options.since)
            return nullptr;
    const json::value* const all = server_->capabilities.if_contains("extensions");
    const json::object* const declared = all ? all->if_object() : nullptr;
    const json::value* const found = declared ? declared->if_contains(name) : nullptr;
    return found ? found->if_object() : nullptr;
}

void client_core::set_roots(std::vector<root> roots)
{
    if (!is_set_up_) {
        handlers_.has_roots = true;
        handlers_.roots = std::move(roots);
        return;
    }
    if (!handlers_.has_roots)
        throw std::logic_error("the roots of an MCP client are set for the first time before it is started");
    std::vector<root> lasting = roots;
    asio::post(get_executor(), [self = weak_from_this(), changed = std::move(roots)]() mutable {
        if (const std::shared_ptr<client_core> still = self.lock())
            still->change_roots(std::move(changed));
    });
    lasting_.use_roots(std::move(lasting));
}

// Where operations begin, before those that are started later.
void client_core::forget_results()
{
    asio::dispatch(executor_, [self = weak_from_this()] {
        if (const std::shared_ptr<client_core> still = self.lock()) {
            still->results_.clear();
            still->outputs_.clear();
        }
    });
}

void client_core::drop_tools() noexcept
{
    results_.drop(methods::list_tools);
    outputs_.clear();
}

void client_core::change_roots(std::vector<root> roots)
{
    handlers_.roots = std::move(roots);
    if (!session_ || !has_started_ || era_ != era::legacy)
        return;
    try {
        session_->notify("notifications/roots/list_changed")(asio::detached);
    } catch (const std::bad_alloc&) {
        log("the MCP server was not told that the roots have changed");
    }
}

const server_info& client_core::server() const
{
    if (!has_started_)
        throw std::logic_error("an MCP client knows its server when it has been started");
    return *server_;
}

void client_core::agree(server_info with)
{
    era_ = era_of(with.revision);
    server_ = std::move(with);
    if (era_ == mcp::era::modern)
        stop_answering();
}

void client_core::stop_answering()
{
    lifecycle_of(peer()).stop_answering();
}

void client_core::end_with_session()
{
    lifecycle_of(peer()).end_with_session();
}

session& client_core::peer()
{
    if (!session_)
        throw failed_call(errc::session_closed);
    return *session_;
}

void client_core::run_session()
{
    session& own = peer();
    own.use_methods(make_peer_methods(*this));
    if (!handlers_.extensions.empty())
        lifecycle_of(own).ask_for_subscriptions([weak = weak_from_this()](std::uint64_t id) {
            const std::shared_ptr<client_core> self = weak.lock();
            return !self || self->changes().may_be_open(id);
        });
    if (options_.era == wanted_era::modern) // before it is known what the server is
        stop_answering();
    own.async_run([weak = weak_from_this()](error_code how) {
        if (const std::shared_ptr<client_core> self = weak.lock())
            self->on_ended(how);
    });
    is_running_ = true;
}

task<void> client_core::start()
{
    if (is_set_up_.exchange(true))
        throw failed_call(errc::already_started);
    if (end_)
        throw failed_call(errc::session_closed);
    run_session();
    const std::shared_ptr<client_core> hold = shared_from_this();
    handshake with(*this);
    try {
        co_await with.run();
        has_started_ = true;
        if (era_ == era::modern)
            listening_->start();
    } catch (...) {
        if (session_)
            session_->stop();
        throw;
    }
}

void client_core::check_started() const
{
    if (end_)
        throw failed_call(end_reason());
    if (!has_started_)
        throw failed_call(client_errc::not_started);
}

task<json_text> client_core::send(std::string method, std::string params, call_options how)
{
    json_text text(std::move(params));
    auto operation = peer().call(std::move(method), std::move(text), std::move(how))(asio::as_tuple(asio::deferred));
    auto [failed, reply] = co_await std::move(operation);
    if (failed)
        throw failed_call(failed, reply.details());
    co_return std::move(*reply); // throws what the server has answered as an error
}

task<json_text> client_core::request(std::string method, std::string members)
{
    check_started();
    call_hooks hooks;
    hooks.timeout = options_.request_timeout;
    return call(std::move(method), std::move(members), std::move(hooks));
}

void client_core::tell(const std::function<void()>& told) const noexcept
{
    if (has_left_)
        return;
    try {
        told();
    } catch (...) {
        log("a handler of an MCP client threw", text_of_exception());
    }
}

void client_core::tell_of_lists() const noexcept
{
    for (const auto* told : {&handlers_.tools_changed, &handlers_.prompts_changed, &handlers_.resources_changed})
        if (*told)
            tell(*told);
}

void client_core::tell_of_resource(const std::string& uri) const noexcept
{
    if (handlers_.resource_updated)
        tell([&] { handlers_.resource_updated(uri); });
}

void client_core::tell_of_gap(const listen_subject& in) const noexcept
{
    for (const declared_extension& one : handlers_.extensions)
        if (one.name == in.extension && one.options.on_gap)
            tell([&] { one.options.on_gap(in.member, in.key.value_or(std::string())); });
}

void client_core::log(std::string_view what, std::string_view why) const noexcept
{
    try {
        std::string line(what);
        if (!why.empty())
            line.append(": ").append(why);
        write_log(options_.session.log, line);
    } catch (const std::bad_alloc&) {
        write_log(options_.session.log, what);
    }
}

} // namespace partyline::mcp
