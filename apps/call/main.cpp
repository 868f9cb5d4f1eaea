// partyline-call: the command line of the client. What it does is in errand.cpp, what it can be told in options.cpp.

#include "bash_completion.hpp"
#include "errand.hpp"
#include "options.hpp"
#include "verdict.hpp"

#include <partyline/protocol/printable.hpp>

#include <exception>
#include <iostream>
#include <utility>

namespace {

int run(call::options wanted)
{
    using action = call::options::action;
    if (wanted.what == action::help) {
        call::print_help(std::cout);
        return 0;
    }
    if (wanted.what == action::version) {
        std::cout << "partyline-call " PARTYLINE_VERSION "\n";
        return 0;
    }
    if (wanted.what == action::completion) {
        std::cout << call::bash_completion;
        return 0;
    }
    return call::errand(std::move(wanted)).run();
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return run(call::read_command_line({argv + (argc > 0), argv + argc}));
    } catch (const std::exception& e) {
        std::cerr << "partyline-call: " << partyline::printable(e.what()) << "\nTry 'partyline-call --help'.\n";
        return call::verdict::wrong_usage;
    }
}
