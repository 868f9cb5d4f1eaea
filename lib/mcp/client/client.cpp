#include <partyline/mcp/client.hpp>

#include "mcp/client/client_core.hpp"
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

client_core& client::core() const
{
    if (!core_)
        throw std::logic_error("an MCP client that was moved from is used");
    return *core_;
}

void client::set(std::shared_ptr<detail::answering_function<elicit_answer, elicit_request>> function)
{
    core().handlers_to_set().elicit = std::move(function);
}

void client::set(std::shared_ptr<detail::answering_function<elicit_action, page_request>> function)
{
    core().handlers_to_set().elicit_page = std::move(function);
}

void client::set(std::shared_ptr<detail::answering_function<sampling_answer, sample_request>> function)
{
    core().handlers_to_set().sample = std::move(function);
}

void client::set_roots(std::vector<root> roots)
{
    core().set_roots(std::move(roots));
}

void client::on_log(std::function<void(const log_entry&)> told)
{
    core().handlers_to_set().log = std::move(told);
}

void client::on_tools_changed(std::function<void()> told)
{
    core().handlers_to_set().tools_changed = std::move(told);
}

void client::on_prompts_changed(std::function<void()> told)
{
    core().handlers_to_set().prompts_changed = std::move(told);
}

void client::on_resources_changed(std::function<void()> told)
{
    core().handlers_to_set().resources_changed = std::move(told);
}

void client::on_resource_updated(std::function<void(const std::string&)> told)
{
    core().handlers_to_set().resource_updated = std::move(told);
}

void client::on_page_done(std::function<void(const std::string&)> told)
{
    core().handlers_to_set().page_done = std::move(told);
}

void client::on_ended(std::function<void(error_code)> told)
{
    core().handlers_to_set().ended = std::move(told);
}

const server_info& client::server() const
{
    return core().server();
}

boost::asio::any_io_executor client::get_executor() const
{
    return core().get_executor();
}

namespace {

task<void> start(client_core_ptr of)
{
    co_await of->start();
}

task<void> close(client_core_ptr of)
{
    co_await of->close();
}

} // namespace

// Each keeps what stands behind the client.

task<void> client::work_start() const
{
    core();
    return mcp::start(core_);
}

task<void> client::work_close() const
{
    core();
    return mcp::close(core_);
}

task<void> client::work_ping() const
{
    core();
    return mcp::ping(core_);
}

task<void> client::work_set_log_level(log_level level) const
{
    core();
    return mcp::set_log_level(core_, level);
}

task<tool_answer> client::work_call_tool(std::string name, call_params arguments, call_hooks hooks) const
{
    core();
    return mcp::call_tool(core_, std::move(name), std::move(arguments), std::move(hooks));
}

task<resource_answer> client::work_read_resource(std::string uri, call_hooks hooks) const
{
    core();
    return mcp::read_resource(core_, std::move(uri), std::move(hooks));
}

task<prompt_answer> client::work_get_prompt(std::string name, call_params arguments, call_hooks hooks) const
{
    core();
    return mcp::get_prompt(core_, std::move(name), std::move(arguments), std::move(hooks));
}

task<void> client::work_subscribe(std::string uri) const
{
    core();
    return mcp::subscribe(core_, std::move(uri));
}

task<void> client::work_unsubscribe(std::string uri) const
{
    core();
    return mcp::unsubscribe(core_, std::move(uri));
}

task<completion_answer> client::work_complete(completion_target of, std::string argument, std::string value,
                                              std::map<std::string, std::string> known) const
{
    core();
    return mcp::complete(core_, std::move(of), std::move(argument), std::move(value), std::move(known));
}

task<json_text> client::work_request(std::string method, call_params params, call_hooks hooks) const
{
    core();
    return mcp::request(core_, std::move(method), std::move(params), std::move(hooks));
}

template <class T>
task<page<T>> client::work_list(std::optional<std::string> cursor) const
{
    core();
    return mcp::list<T>(core_, std::move(cursor));
}

template <class T>
task<std::vector<T>> client::work_list_all() const
{
    core();
    return mcp::list_all<T>(core_);
}

template task<page<tool_info>> client::work_list(std::optional<std::string>) const;
template task<page<resource_info>> client::work_list(std::optional<std::string>) const;
template task<page<resource_template_info>> client::work_list(std::optional<std::string>) const;
template task<page<prompt_info>> client::work_list(std::optional<std::string>) const;
template task<std::vector<tool_info>> client::work_list_all() const;
template task<std::vector<resource_info>> client::work_list_all() const;
template task<std::vector<resource_template_info>> client::work_list_all() const;
template task<std::vector<prompt_info>> client::work_list_all() const;

} // namespace partyline::mcp
