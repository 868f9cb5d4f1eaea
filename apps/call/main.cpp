// partyline-call: the command line of the client. What it does is in job.cpp, what it can be told in options.cpp.

#include "call/mcp/mcp_job.hpp"
#include "call/methods/bash_completion.hpp"
#include "call/output/exit_status.hpp"
#include "call/session/job.hpp"
#include "command_line/closed_descriptors.hpp"
#include "command_line/descriptor_limit.hpp"
#include "command_line/name_lookup.hpp"
#include "command_line/program_version.hpp"
#include "options.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/protocol/printable.hpp>

#include <exception>
#include <iostream>
#include <utility>

namespace {

int after_printing()
{
    if (std::cout.flush())
        return call::exit_status::all_answered;
    std::cerr << "partyline-call: cannot write to standard output\n";
    return call::exit_status::no_reply;
}

int run(call::options wanted)
{
    using action = call::options::action;
    if (wanted.what == action::help) {
        call::print_help(std::cout);
        return after_printing();
    }
    if (wanted.what == action::version) {
        std::cout << command_line::version_line("partyline-call");
        return after_printing();
    }
    if (wanted.what == action::completion) {
        std::cout << call::bash_completion;
        return after_printing();
    }
    if (wanted.profile == call::server_profile::mcp)
        return call::run_mcp_job(std::move(wanted));
    return call::job(std::move(wanted)).run();
}

} // namespace

int main(int argc, char** argv)
{
    command_line::occupy_closed_descriptors();
    command_line::raise_descriptor_limit();
    command_line::look_up_names_alone();
    try {
        return run(call::read_command_line({argv + (argc > 0), argv + argc}));
    } catch (const std::exception& e) {
        std::cerr << "partyline-call: " << partyline::printable(partyline::exception_text(e))
                  << "\nTry 'partyline-call --help'.\n";
        return call::exit_status::wrong_usage;
    }
}
