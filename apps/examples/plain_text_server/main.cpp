// plain-text-server: an example of a language server. What it offers is in server.cpp.

#include "server.hpp"

#include <partyline/config.hpp>
#include <partyline/lsp/profile.hpp>
#include <partyline/run_stdio.hpp>

#include <iostream>
#include <string_view>
#include <utility>

namespace {

constexpr std::string_view help = R"(plain-text-server: a language server for plain text, on standard input and output

It marks lines of more than 100 characters (initializationOptions.maxLineLength) and the same word twice in a row, tells
on hover how often a word occurs, and lists headings.

Usage: plain-text-server [--stdio] [--clientProcessId=N]

Options:
  --stdio              serve standard input and output, which it does anyway: editors say so
  --clientProcessId=N  the editor's process, which initialize names as well
  --help               print this and exit
  --version            print the version and exit

Exit codes: 0 after shutdown and exit, or the end of input; 1 exit without shutdown; 2 wrong usage; 3 the editor is
gone; 4 input ended, and requests took too long after it; 128 + N ended by signal N.
)";

int serve()
{
    partyline::stdio_options options;
    options.session.profile = &partyline::lsp::profile;
    return partyline::run_stdio(plain_text::make_methods(), std::move(options));
}

} // namespace

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--help") {
            std::cout << help;
            return partyline::exit_codes::success;
        }
        if (argument == "--version") {
            std::cout << "plain-text-server " PARTYLINE_VERSION_STRING "\n";
            return partyline::exit_codes::success;
        }
        if (argument != "--stdio" && !argument.starts_with("--clientProcessId=")) {
            std::cerr << "plain-text-server: unexpected argument '" << argument
                      << "'\nTry 'plain-text-server --help'.\n";
            return partyline::exit_codes::usage;
        }
    }
    return serve();
}
