#include <partyline/mcp/client.hpp>

#include "mcp/client/client_core.hpp"
#include "mcp/client/lists.hpp"
#include "mcp/client/operation.hpp"
#include "mcp/client/requests.hpp"

#include <stdexcept>
#include <utility>

namespace partyline::mcp {

session_options client::prepared(const client_options& options)
{
    return client_session_options(options);
}

client::client(session over, client_options options)
    : core_(std::make_shared<client_core>(std::move(over), std::move(options)))
{
}

client::client(client&&) noexcept = default;

client& client::operator=(client&& other) noexcept
{
    const client old(std::move(*this));
    core_ = std::move(other.core_);
    return *this;
}

client::~client()
{
    if (core_)
        core_->leave();
}

const std::shared_ptr<client_core>& client::core() const
{
    if (!core_)
        throw std::logic_error("an MCP client that was moved from is used");
    return core_;
}

void client::set(std::shared_ptr<detail::answering_function<elicit_answer, elicit_request>> function)
{
    core()->handlers_to_set().elicit = std::move(function);
}

void client::set(std::shared_ptr<detail::answering_function<elicit_action, page_request>> function)
{
    core()->handlers_to_set().elicit_page = std::move(function);
}

void client::set(std::shared_ptr<detail::answering_function<sampling_answer, sample_request>> function)
{
    core()->handlers_to_set().sample = std::move(function);
}

void client::set_roots(std::vector<root> roots)
{
    core()->set_roots(std::move(roots));
}

void client::on_log(std::function<void(const log_entry&)> told)
{
    core()->handlers_to_set().log = std::move(told);
}

void client::on_tools_changed(std::function<void()> told)
{
    core()->handlers_to_set().tools_changed = std::move(told);
}

void client::on_prompts_changed(std::function<void()> told)
{
    core()->handlers_to_set().prompts_changed = std::move(told);
}

void client::on_resources_changed(std::function<void()> told)
{
    core()->handlers_to_set().resources_changed = std::move(told);
}

void client::on_resource_updated(std::function<void(const std::string&)> told)
{
    core()->handlers_to_set().resource_updated = std::move(told);
}

void client::on_page_done(std::function<void(const std::string&)> told)
{
    core()->handlers_to_set().page_done = std::move(told);
}

void client::on_ended(std::function<void(error_code)> told)
{
    core()->handlers_to_set().ended = std::move(told);
}

client_extension client::add_extension(std::string name, boost::json::object settings, method_table methods,
                                       client_extension_options how)
{
    client_extension made(core(), get_executor(), name);
    core_->declare(declared_extension(std::move(name), std::move(settings), std::move(methods), std::move(how)));
    return made;
}

const server_info& client::server() const
{
    return core()->server();
}

boost::asio::any_io_executor client::get_executor() const
{
    return core()->get_executor();
}

operation<void> client::start() const
{
    return operation_of(get_executor(), mcp::start(core()));
}

operation<void> client::close() const
{
    return operation_of(get_executor(), mcp::close(core()));
}

operation<void> client::ping() const
{
    return operation_of(get_executor(), mcp::ping(core()));
}

operation<void> client::set_log_level(log_level level) const
{
    return operation_of(get_executor(), mcp::set_log_level(core(), level));
}

operation<tool_answer> client::call_tool(std::string name, call_params arguments, call_hooks hooks) const
{
    return operation_of(get_executor(),
                        mcp::call_tool(core(), std::move(name), std::move(arguments), std::move(hooks)));
}

operation<resource_answer> client::read_resource(std::string uri, call_hooks hooks) const
{
    return operation_of(get_executor(), mcp::read_resource(core(), std::move(uri), std::move(hooks)));
}

operation<prompt_answer> client::get_prompt(std::string name, call_params arguments, call_hooks hooks) const
{
    return operation_of(get_executor(),
                        mcp::get_prompt(core(), std::move(name), std::move(arguments), std::move(hooks)));
}

operation<json_text> client::request(std::string method, call_params params, call_hooks hooks) const
{
    return operation_of(get_executor(), mcp::request(core(), std::move(method), std::move(params), std::move(hooks)));
}

operation<completion_answer> client::complete(completion_target of, std::string argument, std::string value,
                                              std::map<std::string, std::string> known) const
{
    return operation_of(get_executor(),
                        mcp::complete(core(), std::move(of), std::move(argument), std::move(value), std::move(known)));
}

operation<std::vector<tool_info>> client::tools() const
{
    return operation_of(get_executor(), list_all<tool_info>(core()));
}

operation<std::vector<resource_info>> client::resources() const
{
    return operation_of(get_executor(), list_all<resource_info>(core()));
}

operation<std::vector<resource_template_info>> client::templates() const
{
    return operation_of(get_executor(), list_all<resource_template_info>(core()));
}

operation<std::vector<prompt_info>> client::prompts() const
{
    return operation_of(get_executor(), list_all<prompt_info>(core()));
}

template <listed T>
operation<page<T>> client::list(std::optional<std::string> cursor) const
{
    return operation_of(get_executor(), mcp::list<T>(core(), std::move(cursor)));
}

operation<void> client::subscribe(std::string uri) const
{
    return operation_of(get_executor(), mcp::subscribe(core(), std::move(uri)));
}

operation<void> client::unsubscribe(std::string uri) const
{
    return operation_of(get_executor(), mcp::unsubscribe(core(), std::move(uri)));
}

void client::forget_results() const
{
    core()->forget_results();
}

template operation<page<tool_info>> client::list(std::optional<std::string>) const;
template operation<page<resource_info>> client::list(std::optional<std::string>) const;
template operation<page<resource_template_info>> client::list(std::optional<std::string>) const;
template operation<page<prompt_info>> client::list(std::optional<std::string>) const;

} // namespace partyline::mcp
