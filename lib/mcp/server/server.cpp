#include <partyline/mcp/server.hpp>

#include "mcp/server/features/extension.hpp"
#include "mcp/server/features/prompt.hpp"
#include "mcp/server/features/resource.hpp"
#include "mcp/server/features/tool.hpp"
#include "mcp/server/server_core.hpp"

#include <stdexcept>
#include <utility>

namespace partyline::mcp {
namespace {

// They hold what makes their handlers, and the profile.
std::shared_ptr<const dispatcher> methods_of(const std::shared_ptr<server_core>& core)
{
    struct held_methods {
        std::shared_ptr<server_core> core;
        std::shared_ptr<const catalogue> all;
    };
    const auto held = std::make_shared<const held_methods>(held_methods{core, core->methods()});
    return {held, held->all.get()};
}

} // namespace

void feature_handle::enable(bool is_enabled)
{
    if (const std::shared_ptr<server_core> core = of_.lock())
        core->enable(number_, is_enabled);
}

void feature_handle::remove()
{
    if (const std::shared_ptr<server_core> core = of_.lock())
        core->remove(number_);
}

server::server(std::string name, std::string version, server_options options)
    : core_(std::make_shared<server_core>(std::move(name), std::move(version), std::move(options)))
{
}

server::~server() = default;
server::server(server&&) noexcept = default;
server& server::operator=(server&&) noexcept = default;

server_core& server::core() const
{
    if (!core_)
        throw std::logic_error("this server was moved from");
    return *core_;
}

feature_handle server::insert_tool(std::string name, std::string description, detail::tool_binding bound,
                                   tool_options options)
{
    const std::uint64_t number = core().add(
        std::make_shared<tool>(std::move(name), std::move(description), std::move(bound), std::move(options)));
    return feature_handle(core_, number);
}

feature_handle server::insert_resource(std::string uri, std::string name, std::string description,
                                       std::unique_ptr<detail::call_handler> reads, resource_options options)
{
    resource_description about{std::move(name), std::move(description), std::move(options)};
    const std::uint64_t number =
        core().add(std::make_shared<resource>(std::move(uri), std::move(about), std::move(reads)));
    return feature_handle(core_, number);
}

feature_handle server::insert_template(std::string uri_template, std::string name, std::string description,
                                       detail::template_binding bound, resource_options options)
{
    resource_description about{std::move(name), std::move(description), std::move(options)};
    const std::uint64_t number =
        core().add(std::make_shared<resource_template>(std::move(uri_template), std::move(about), std::move(bound)));
    return feature_handle(core_, number);
}

feature_handle server::insert_prompt(std::string name, std::string description, detail::prompt_binding bound,
                                     prompt_options options)
{
    const std::uint64_t number = core().add(
        std::make_shared<prompt>(std::move(name), std::move(description), std::move(bound), std::move(options)));
    return feature_handle(core_, number);
}

void server::complete(std::string of, std::string argument,
                      std::function<std::vector<std::string>(std::string_view)> by)
{
    core().complete(std::move(of), std::move(argument), std::move(by));
}

void server::add_extension(std::string name, boost::json::object settings, method_table methods, extension_options how)
{
    core().add(std::make_shared<const extension>(std::move(name), std::move(settings), std::move(methods),
                                                 std::move(how), core().facts()));
}

void server::resource_updated(std::string uri)
{
    core().tell_updated(uri);
}

void server::resources_changed()
{
    core().tell_resources_changed();
}

void server::use_state_keys(const state_keys& keys)
{
    core().use_state_keys(keys);
}

int server::run_stdio(stdio_options options)
{
    prepare(options.session);
    return partyline::run_stdio(methods(), std::move(options));
}

void server::prepare(session_options& options) const
{
    options.profile = &core().profile();
}

// Who has them has the core, and so the profile.
std::shared_ptr<const dispatcher> server::methods() const
{
    static_cast<void>(core()); // throws where it was moved from
    return methods_of(core_);
}

std::function<mcp::mirrored_arguments(std::string_view tool)> server::mirrored_arguments() const
{
    static_cast<void>(core());
    return [held = core_](std::string_view name) {
        const auto* const found = held->methods()->find(feature_kind::tool, name);
        return found ? static_cast<const tool*>(found)->mirrored() : mcp::mirrored_arguments();
    };
}

served_methods server::session_maker() const
{
    static_cast<void>(core());
    return [held = core_](session_options& options) {
        options.profile = &held->profile();
        return methods_of(held);
    };
}

} // namespace partyline::mcp
