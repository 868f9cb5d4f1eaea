// partyline-echo: the sample server. Its methods are in methods.cpp; the rest is the command line.

#include "ask.hpp"
#include "command_line/descriptor_limit.hpp"
#include "command_line/line_log.hpp"
#include "command_line/name_lookup.hpp"
#include "command_line/observer.hpp"
#include "command_line/program_version.hpp"
#include "command_line/serve_http.hpp"
#include "command_line/trace.hpp"
#include "demo.hpp"
#include "listen.hpp"
#include "methods.hpp"
#include "options.hpp"
#include "stats.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

int run(echo::options options)
{
    using action = echo::options::action;
    if (options.what == action::help) {
        echo::print_help(std::cout);
        return 0;
    }
    if (options.what == action::version) {
        std::cout << command_line::version_line("partyline-echo");
        return 0;
    }
    if (!options.trace_file.empty())
        options.stdio.session.on_message =
            command_line::trace_to_file(options.trace_file, [](std::string_view problem) {
                command_line::say("partyline-echo: " + std::string(problem));
            });
    if (options.wants_stats)
        options.stdio.on_session_end = echo::print_stats;
    options.stdio.session.user_data = echo::make_session_data();

    boost::asio::thread_pool pool(options.pool_threads);
    partyline::method_table methods = echo::make_methods(pool.get_executor(), options.is_language_server);
    std::vector<std::string> names = methods.names();
    names.push_back("rpc.discover");
    const command_line::observer observer(options.telemetry, "partyline-echo", {std::move(names)});
    observer.observe(options.stdio.session);
    observer.observe_calls(options.stdio.session);
    options.stdio.access = observer.counted(options.stdio.access);
    options.http.server.access = observer.counted(options.http.server.access);
    if (options.what == action::listen)
        return echo::run_listening(std::move(methods), std::move(options), observer);
    if (options.what == action::serve_http) {
        options.http.server.session = std::move(options.stdio.session);
        boost::asio::io_context context(1);
        command_line::http_service service{
            [&](partyline::http::server& server) { echo::add_to(server, std::move(methods)); }};
        service.watch = observer.watch();
        return command_line::serve_http(context, options.http, "partyline-echo", service);
    }
    if (options.what == action::demo)
        return echo::run_demo(std::move(methods), std::move(options.stdio));
    return partyline::run_stdio(std::move(methods), std::move(options.stdio));
}

} // namespace

int main(int argc, char** argv)
{
    command_line::raise_descriptor_limit();
    command_line::look_up_names_alone();
    try {
        return run(echo::parse_command_line(argc, argv));
    } catch (const command_line::listen_failure& e) {
        std::cerr << "partyline-echo: " << e.what() << '\n';
        return partyline::exit_codes::stream_failed;
    } catch (const std::exception& e) {
        std::cerr << "partyline-echo: " << partyline::exception_text(e) << "\nTry 'partyline-echo --help'.\n";
        return partyline::exit_codes::usage;
    }
}
