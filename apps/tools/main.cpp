// partyline-tools: an MCP server for files and commands, to be used and to be copied from. What it offers is in
// server.cpp.

#include "command_line/descriptor_limit.hpp"
#include "command_line/name_lookup.hpp"
#include "command_line/observer.hpp"
#include "command_line/program_version.hpp"
#include "command_line/serve_http.hpp"
#include "options.hpp"
#include "server.hpp"
#include "state_key_file.hpp"
#include "tools/commands/command_list.hpp"
#include "tools/files/root_set.hpp"

#include <partyline/mcp/method_names.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <exception>
#include <iostream>
#include <utility>

namespace {

int run(const tools::options& options)
{
    using action = tools::options::action;
    if (options.what == action::help) {
        tools::print_help(std::cout);
        return 0;
    }
    if (options.what == action::version) {
        std::cout << command_line::version_line("partyline-tools");
        return 0;
    }
    const tools::root_set roots(options.roots);
    const tools::command_list commands(options.commands);
    boost::asio::thread_pool pool; // goes first
    partyline::mcp::server server =
        tools::make_server({roots, commands, options.limits, pool.get_executor(), options.page_size});
    if (!options.state_keys.empty())
        tools::use_state_keys(server, options.state_keys);
    const command_line::observer observer(options.telemetry, "partyline-tools", {partyline::mcp::method_names(), true});
    if (!options.http.is_wanted()) {
        partyline::stdio_options how;
        observer.observe(how.session);
        observer.observe_calls(how.session);
        how.access = observer.counted(options.http.access);
        return server.run_stdio(std::move(how));
    }
    boost::asio::io_context context(1);
    command_line::http_options listening = options.http;
    observer.observe(listening.server.session);
    observer.observe_calls(listening.server.session);
    listening.server.access = observer.counted(options.http.access);
    command_line::http_service service{[&](partyline::http::server& http) {
        http.add_mcp("/mcp", server);
        http.add_websocket("/mcp/ws", server);
        http.add_sessions(server.session_maker());
    }};
    service.watch = observer.watch();
    if (!options.state_keys.empty())
        service.reload = [&] { tools::reload_state_keys(server, options.state_keys); };
    return command_line::serve_http(context, listening, "partyline-tools", service);
}

} // namespace

int main(int argc, char** argv)
{
    command_line::raise_descriptor_limit();
    command_line::look_up_names_alone();
    try {
        return run(tools::parse_command_line(argc, argv));
    } catch (const command_line::listen_failure& e) {
        std::cerr << "partyline-tools: " << e.what() << '\n';
        return partyline::exit_codes::stream_failed;
    } catch (const std::exception& e) {
        std::cerr << "partyline-tools: " << partyline::exception_text(e) << "\nTry 'partyline-tools --help'.\n";
        return partyline::exit_codes::usage;
    }
}
