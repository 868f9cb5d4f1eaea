// partyline-bench-server: what partyline-bench measures besides partyline-echo. Its methods are in methods.cpp; those
// of partyline-bench-mcp-server are the same, and its tools are in mcp.cpp.

#include "command_line/arguments.hpp"
#include "command_line/limit_options.hpp"
#include "command_line/wire_options.hpp"
#include "methods.hpp"
#ifdef PARTYLINE_HAS_MCP
#include "mcp.hpp"
#endif

#include <partyline/run_stdio.hpp>

#include <boost/asio/thread_pool.hpp>

#include <exception>
#include <iostream>
#include <utility>

namespace {

constexpr int pool_threads = 2;

int run(int argc, char** argv)
{
    boost::program_options::options_description all("Options");
    all.add_options()("help", "print this and exit");
#ifdef PARTYLINE_HAS_MCP
    all.add_options()("mcp", "speak MCP, and offer tools in place of methods");
    command_line::describe_http(all);
#endif
    all.add_options()("served", "tell a hook how each request has ended");
    command_line::describe_framing(all);
    all.add(command_line::describe_limits());
    const auto given = command_line::parse(argc, argv, all);
    if (given.count("help")) {
        std::cout << "partyline-bench-server: the server that partyline-bench measures\n\n"
                  << "Usage: partyline-bench-server [options]\n\n"
                  << all;
        return 0;
    }
    partyline::stdio_options options;
    options.session.framing = command_line::framing_of(given);
    options.session.bounds = command_line::limits_of(given);
    if (given.count("served"))
        options.session.on_served = [](const partyline::served_event&) {};
#ifdef PARTYLINE_HAS_MCP
    if (given.count("mcp"))
        return bench::make_mcp_server().run_stdio(std::move(options));
#endif
    boost::asio::thread_pool pool(pool_threads);
    partyline::method_table methods = bench::make_methods(pool.get_executor());
#ifdef PARTYLINE_HAS_MCP
    bench::add_sessions(methods);
    if (const auto http = command_line::http_options_of(given); http.is_wanted())
        return bench::serve_http(std::move(methods), http);
#endif
    return partyline::run_stdio(std::move(methods), std::move(options));
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception& e) {
        std::cerr << "partyline-bench-server: " << e.what() << "\nTry 'partyline-bench-server --help'.\n";
        return partyline::exit_codes::usage;
    }
}
