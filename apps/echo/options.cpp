#include "options.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>

#include <chrono>
#include <cstdint>
#include <ostream>
#include <stdexcept>

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
    add("threads", po::value<std::int64_t>()->default_value(2), "threads of the pool that runs \"spin\"");
    add("drain-ms", po::value<std::int64_t>()->default_value(30000),
        "how long handlers may run after the end of input, in milliseconds");
    add("max-message-bytes", po::value<std::int64_t>()->default_value(16 << 20), "longest message");
    add("expose-errors", "send the texts of unexpected exceptions to the peer");
    add("trace", po::value<std::string>(), "write every message to this file");
    return all;
}

std::int64_t in_range(const po::variables_map& given, const char* name, std::int64_t min, std::int64_t max)
{
    const auto value = given[name].as<std::int64_t>();
    if (value < min || value > max)
        throw std::invalid_argument("the argument for option '--" + std::string(name) + "' is " +
                                    std::to_string(value) + ", expected " + std::to_string(min) + " to " +
                                    std::to_string(max));
    return value;
}

options::action action_of(const po::variables_map& given)
{
    if (given.count("help"))
        return options::action::help;
    if (given.count("version"))
        return options::action::version;
    return given.count("demo") ? options::action::demo : options::action::serve;
}

} // namespace

options parse_command_line(int argc, const char* const* argv)
{
    const po::options_description all = describe();
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(all).positional({}).run(), given);
    po::notify(given);

    options result;
    result.what = action_of(given);
    result.threads = static_cast<std::size_t>(in_range(given, "threads", 1, 1024));
    partyline::session_options& session = result.stdio.session;
    session.drain_timeout = std::chrono::milliseconds(in_range(given, "drain-ms", 0, 1000000000));
    session.bounds.message_bytes = static_cast<std::size_t>(in_range(given, "max-message-bytes", 64, std::int64_t(1) << 40));
    session.expose_errors = given.count("expose-errors") != 0;
    if (given.count("trace"))
        result.trace_file = given["trace"].as<std::string>();
    return result;
}

void print_help(std::ostream& out)
{
    out << "partyline-echo: a sample JSON-RPC 2.0 server on standard input and output, one message a line\n\n"
        << "Usage: partyline-echo [options]\n\n"
        << describe() << '\n'
        << "Exit codes: 0 input ended and all was answered; 2 wrong usage; 3 nobody reads the output, or a stream failed;\n"
        << "4 handlers were cancelled after --drain-ms; 128 + N ended by signal N.\n";
}

} // namespace echo
