#include "options.hpp"

#include "command_line/arguments.hpp"
#include "command_line/limit_options.hpp"
#include "command_line/wire_options.hpp"

#include <partyline/lsp/profile.hpp>
#include <partyline/server.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace po = boost::program_options;

namespace echo {
namespace {

po::options_description describe()
{
    po::options_description all("Options");
    auto add = all.add_options();
    add("help", "print this and exit");
    add("version", "print the version and exit");
    add("demo", "show a conversation with the server, in one process, and exit");
    add("unix", po::value<std::vector<std::string>>(),
        "listen on a Unix socket at this path; may be given again, as may --tcp");
    add("tcp", po::value<std::vector<std::string>>(),
        "listen on HOST:PORT; PORT alone is on 127.0.0.1, port 0 one that the system chooses");
    add("max-connections", po::value<std::int64_t>(), "with these: most sessions at once; 1024 unless given");
    add("profile", po::value<std::string>()->default_value("plain"),
        "the dialect: plain (JSON-RPC 2.0), lsp (a language server: initialize, shutdown, exit, Content-Length)");
    command_line::describe_framing(all);
    add("threads", po::value<std::int64_t>()->default_value(2), "threads of the pool that runs \"spin\"");
    add("drain-ms", po::value<std::int64_t>()->default_value(30000),
        "how long handlers may run after the end of input, in milliseconds");
    add("cancel-grace-ms", po::value<std::int64_t>()->default_value(2000),
        "how long a cancelled handler may take to end, in milliseconds");
    add("write-stall-ms", po::value<std::int64_t>(),
        "end when nobody reads the output for so long, in milliseconds; 0: never. Unless given: 60000 with --unix and "
        "--tcp, never on standard output");
    add("on-overload", po::value<std::string>()->default_value("auto"),
        "a request that may not wait any more: busy (refuse it), pause (stop reading), auto (pause where input is a "
        "regular file)");
    add("expose-errors", "send the texts of unexpected exceptions to the peer");
    add("trace", po::value<std::string>(), "write every message to this file");
    add("stats", "print what was counted to standard error at the end");
    all.add(command_line::describe_limits());
    return all;
}

std::chrono::milliseconds milliseconds(const po::variables_map& given, const char* name)
{
    return std::chrono::milliseconds(command_line::in_range(given, name, 0, 1000000000));
}

std::optional<partyline::overload> overload_of(const po::variables_map& given)
{
    const auto& value = given["on-overload"].as<std::string>();
    if (value == "busy")
        return partyline::overload::busy;
    if (value == "pause")
        return partyline::overload::pause;
    if (value == "auto")
        return std::nullopt;
    throw std::invalid_argument("the argument for option '--on-overload' is '" + value + "', expected busy, pause or auto");
}

bool is_language_server(const po::variables_map& given)
{
    const auto& value = given["profile"].as<std::string>();
    if (value != "plain" && value != "lsp")
        throw std::invalid_argument("the argument for option '--profile' is '" + value + "', expected plain or lsp");
    return value == "lsp";
}

options::action action_of(const po::variables_map& given)
{
    if (given.count("help"))
        return options::action::help;
    if (given.count("version"))
        return options::action::version;
    if (given.count("unix") || given.count("tcp"))
        return options::action::listen;
    return given.count("demo") ? options::action::demo : options::action::serve;
}

void refuse_together(const po::variables_map& given, const char* one, const char* other)
{
    if (given.count(one) && given.count(other))
        throw std::invalid_argument("'--" + std::string(one) + "' and '--" + other + "' exclude each other");
}

std::vector<std::string> texts(const po::variables_map& given, const char* name)
{
    return given.count(name) ? given[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

void read_addresses(const po::variables_map& given, options& result)
{
    refuse_together(given, "demo", "unix");
    refuse_together(given, "demo", "tcp");
    result.unix_paths = texts(given, "unix");
    for (const std::string& text : texts(given, "tcp"))
        result.tcp_addresses.push_back(partyline::parse_tcp_address(text));
    result.most_connections = partyline::server_options().most_connections;
    if (!given.count("max-connections"))
        return;
    if (result.unix_paths.empty() && result.tcp_addresses.empty())
        throw std::invalid_argument("the option '--max-connections' needs '--unix' or '--tcp'");
    result.most_connections =
        static_cast<std::size_t>(command_line::in_range(given, "max-connections", 1, 1000000));
}

} // namespace

options parse_command_line(int argc, const char* const* argv)
{
    const po::variables_map given = command_line::parse(argc, argv, describe());

    options result;
    result.what = action_of(given);
    result.threads = static_cast<std::size_t>(command_line::in_range(given, "threads", 1, 1024));
    partyline::session_options& session = result.stdio.session;
    session.drain_timeout = milliseconds(given, "drain-ms");
    session.cancel_grace = milliseconds(given, "cancel-grace-ms");
    if (given.count("write-stall-ms"))
        session.write_stall = milliseconds(given, "write-stall-ms");
    session.on_overload = overload_of(given);
    session.framing = command_line::framing_of(given);
    result.is_language_server = is_language_server(given);
    if (result.is_language_server)
        session.profile = &partyline::lsp::profile;
    session.bounds = command_line::limits_of(given);
    session.expose_errors = given.count("expose-errors") != 0;
    result.wants_stats = given.count("stats") != 0;
    read_addresses(given, result);
    if (given.count("trace"))
        result.trace_file = given["trace"].as<std::string>();
    return result;
}

void print_help(std::ostream& out)
{
    out << "partyline-echo: a sample JSON-RPC 2.0 server on standard input and output or on sockets\n\n"
        << "Usage: partyline-echo [options]\n"
        << "       partyline-echo [options] --unix PATH | --tcp HOST:PORT ...\n\n"
        << describe() << '\n'
        << "Exit codes: 0 input ended and all was answered; 1 exit without shutdown (--profile lsp); 2 wrong usage; 3 nobody\n"
        << "reads the output, a stream failed, or a notification found no room; 4 handlers were cancelled after --drain-ms;\n"
        << "128 + N ended by signal N.\n"
        << "On sockets: 3 an address can't be listened on; else it ends by a signal only. Where it listens it says on\n"
        << "standard error, one line for each address: \"listening on tcp 127.0.0.1:8080\".\n";
}

} // namespace echo
