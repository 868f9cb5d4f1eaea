#include "options.hpp"

#include "command_line/access_options.hpp"
#include "command_line/arguments.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <chrono>
#include <cstdint>
#include <ostream>
#include <stdexcept>

namespace po = boost::program_options;

namespace tools {
namespace {

po::options_description describe_options()
{
    po::options_description all("Options");
    auto add = all.add_options();
    add("help", "print this and exit");
    add("version", "print the version and exit");
    add("root", po::value<std::vector<std::string>>(),
        "a folder whose files the tools may read; nothing else is. At least one; may be given again");
    add("allow-command", po::value<std::vector<std::string>>(),
        "a program in PATH that run_command may run, in these folders, with any arguments; may be given again. What it "
        "reads and writes is not confined. None unless given");
    add("command-timeout", po::value<double>()->default_value(60, "60"),
        "longest time of a command, in seconds; its process group is ended then");
    add("max-file-bytes", po::value<std::int64_t>()->default_value(std::int64_t(256) << 20),
        "files that are longer are not read");
    command_line::describe_http(all);
    command_line::describe_threads(all);
    command_line::describe_node(all);
    add("page-size", po::value<std::int64_t>()->default_value(0),
        "most tools, resources or prompts on a page of their list; 0: all");
    add("state-keys", po::value<std::string>(),
        "sign the cursors of lists, and what clients keep between two rounds of a call, by the keys of this file, so that "
        "all processes that have it take them, also after a restart: a line of base64 each (openssl rand -base64 32), of "
        "which the first signs. Where the program listens, SIGHUP has it read again");
    command_line::describe_access(all);
    command_line::describe_telemetry(all);
    return all;
}

std::vector<std::string> texts_of(const po::variables_map& given, const char* name)
{
    return given.count(name) ? given[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

std::chrono::steady_clock::duration command_time(const po::variables_map& given)
{
    const double value = given["command-timeout"].as<double>();
    constexpr double most = 86400;
    if (!(value >= 0.001 && value <= most))
        throw std::invalid_argument(
            "the argument for option '--command-timeout' is out of range: expected 0.001 to 86400");
    return std::chrono::ceil<std::chrono::steady_clock::duration>(std::chrono::duration<double>(value));
}

options::action action_wanted(const po::variables_map& given)
{
    if (given.count("help"))
        return options::action::help;
    return given.count("version") ? options::action::version : options::action::serve;
}

} // namespace

options parse_command_line(int argc, const char* const* argv)
{
    const po::variables_map given = command_line::parse(argc, argv, describe_options());
    options result;
    result.what = action_wanted(given);
    result.roots = texts_of(given, "root");
    result.commands = texts_of(given, "allow-command");
    result.limits.command.time = command_time(given);
    result.limits.file_bytes =
        static_cast<std::uint64_t>(command_line::in_range(given, "max-file-bytes", 1, std::int64_t(1) << 40));
    result.page_size = static_cast<std::size_t>(command_line::in_range(given, "page-size", 0, 1000000));
    if (given.count("state-keys"))
        result.state_keys = given["state-keys"].as<std::string>();
    result.http = command_line::http_options_of(given);
    result.telemetry = command_line::telemetry_options_of(given, "partyline-tools");
    if (result.what == options::action::serve && result.roots.empty())
        throw std::invalid_argument("name at least one folder that may be read: --root PATH");
    return result;
}

void print_help(std::ostream& out)
{
    out << "partyline-tools: a server of the Model Context Protocol on standard input and output, with tools to "
           "search, read\n"
        << "and hash the files of some folders, and to run some programs in them\n\n"
        << "Usage: partyline-tools --root PATH [--root PATH]... [--allow-command NAME]... [options]\n"
        << "       partyline-tools --root PATH --http HOST:PORT ...    (Streamable HTTP, at /mcp)\n\n"
        << describe_options() << '\n'
        << "Exit codes: 0 input ended and all was answered; 2 wrong usage, or a folder, program or file that can't be "
           "used; 3\n"
        << "nobody reads the output, a stream failed, a notification found no room, the user may not call any more, or "
           "an\n"
        << "address can't be listened on; 4 calls were cancelled that took too long after the end of input; 128 + N "
           "ended by\n"
        << "signal N. While it listens, a signal alone ends it.\n";
}

} // namespace tools
