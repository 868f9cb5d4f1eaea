// partyline-gateway: HTTP in front of a server on standard input and output, or with --stdio the other way. Messages
// pass through relay.cpp.

#include "command_line/descriptor_limit.hpp"
#include "command_line/name_lookup.hpp"
#include "command_line/observer.hpp"
#include "command_line/program_version.hpp"
#include "gateway/access_commands.hpp"
#include "gateway/bus_front.hpp"
#include "gateway/bus_worker.hpp"
#include "gateway/options.hpp"
#include "gateway/serve.hpp"
#include "gateway/stdio_host.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/run_stdio.hpp>

#include <exception>
#include <iostream>

namespace {

// Who lost a token, or an answer, is not told that all is well.
int printed(int code)
{
    if (std::cout.flush())
        return code;
    std::cerr << "partyline-gateway: standard output can't be written\n";
    return partyline::exit_codes::stream_failed;
}

int run(gateway::options options)
{
    using action = gateway::options::action;
    if (options.what == action::help) {
        gateway::print_help(std::cout);
        return 0;
    }
    if (options.what == action::version) {
        std::cout << command_line::version_line("partyline-gateway");
        return 0;
    }
    if (options.what == action::new_token)
        return printed(gateway::make_token_for(options.asked.caller, std::cout));
    if (options.what == action::new_key)
        return printed(gateway::make_key_for(options.asked.caller, std::cout));
    if (options.what == action::explain)
        return printed(gateway::explain(options.asked, std::cout));
    if (options.what == action::check_access)
        return printed(gateway::check_access(options.asked.access_file, std::cout));
    if (options.what == action::serve_host)
        return gateway::serve_host(*options.remote, options.telemetry);
    if (options.bus)
        return options.command.empty() ? gateway::serve_front(std::move(options))
                                       : gateway::serve_worker(std::move(options));
    return gateway::serve(std::move(options));
}

} // namespace

int main(int argc, char** argv)
{
    command_line::raise_descriptor_limit();
    command_line::look_up_names_alone();
    try {
        return run(gateway::parse_command_line(argc, argv));
    } catch (const command_line::listen_failure& e) {
        std::cerr << "partyline-gateway: " << e.what() << '\n';
        return partyline::exit_codes::stream_failed;
    } catch (const std::exception& e) {
        std::cerr << "partyline-gateway: " << partyline::exception_text(e) << "\nTry 'partyline-gateway --help'.\n";
        return partyline::exit_codes::usage;
    }
}
