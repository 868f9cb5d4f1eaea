#include "options.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <stdexcept>

namespace po = boost::program_options;

namespace echo {
namespace {

/// A member of `limits` and the option that sets it.
struct limit_option {
    const char* name;
    std::size_t partyline::limits::*member;
    std::int64_t least;
    const char* help;
};

const limit_option limit_options[] = {
    {"max-message-bytes", &partyline::limits::message_bytes, 64, "longest message"},
    {"max-depth", &partyline::limits::depth, 1, "deepest nesting"},
    {"max-id-bytes", &partyline::limits::id_bytes, 1, "longest request id"},
    {"max-batch", &partyline::limits::batch_elements, 1, "most elements of a batch"},
    {"max-in-flight", &partyline::limits::in_flight_requests, 1, "most requests in flight"},
    {"max-in-flight-bytes", &partyline::limits::in_flight_bytes, 1, "most bytes of their messages"},
    {"max-waiting", &partyline::limits::waiting_requests, 0, "most requests that wait for their start"},
    {"max-waiting-bytes", &partyline::limits::waiting_bytes, 0, "most bytes of their messages"},
    {"max-peer-waits", &partyline::limits::peer_waits, 0, "most requests that wait for the peer without counting"},
    {"outbox-soft-bytes", &partyline::limits::outbox_soft_bytes, 0, "unread output that holds handlers up"},
    {"outbox-hard-bytes", &partyline::limits::outbox_hard_bytes, 64, "unread output that holds everything up"},
};

po::options_description describe_limits()
{
    po::options_description limits("Limits");
    const partyline::limits defaults;
    for (const limit_option& option : limit_options) {
        const auto value = static_cast<std::int64_t>(defaults.*option.member);
        limits.add_options()(option.name, po::value<std::int64_t>()->default_value(value), option.help);
    }
    return limits;
}

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
    add("cancel-grace-ms", po::value<std::int64_t>()->default_value(2000),
        "how long a cancelled handler may take to end, in milliseconds");
    add("write-stall-ms", po::value<std::int64_t>()->default_value(0),
        "end when nobody reads the output for so long, in milliseconds; 0: never");
    add("on-overload", po::value<std::string>()->default_value("auto"),
        "a request that may not wait any more: busy (refuse it), pause (stop reading), auto (pause where input is a "
        "regular file)");
    add("expose-errors", "send the texts of unexpected exceptions to the peer");
    add("trace", po::value<std::string>(), "write every message to this file");
    add("stats", "print what was counted to standard error at the end");
    all.add(describe_limits());
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

std::chrono::milliseconds milliseconds(const po::variables_map& given, const char* name)
{
    return std::chrono::milliseconds(in_range(given, name, 0, 1000000000));
}

partyline::limits limits_of(const po::variables_map& given)
{
    partyline::limits result;
    for (const limit_option& option : limit_options)
        result.*option.member = static_cast<std::size_t>(in_range(given, option.name, option.least, std::int64_t(1) << 40));
    return result;
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

po::parsed_options parse(int argc, const char* const* argv, const po::options_description& all)
{
    po::parsed_options parsed = po::command_line_parser(argc, argv).options(all).run();
    for (const po::option& option : parsed.options) {
        if (option.position_key >= 0)
            throw std::invalid_argument("unexpected argument '" + option.value.at(0) + "'");
    }
    return parsed;
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
    po::store(parse(argc, argv, all), given);
    po::notify(given);

    options result;
    result.what = action_of(given);
    result.threads = static_cast<std::size_t>(in_range(given, "threads", 1, 1024));
    partyline::session_options& session = result.stdio.session;
    session.drain_timeout = milliseconds(given, "drain-ms");
    session.cancel_grace = milliseconds(given, "cancel-grace-ms");
    session.write_stall = milliseconds(given, "write-stall-ms");
    session.on_overload = overload_of(given);
    session.bounds = limits_of(given);
    session.expose_errors = given.count("expose-errors") != 0;
    result.wants_stats = given.count("stats") != 0;
    if (given.count("trace"))
        result.trace_file = given["trace"].as<std::string>();
    return result;
}

void print_help(std::ostream& out)
{
    out << "partyline-echo: a sample JSON-RPC 2.0 server on standard input and output, one message a line\n\n"
        << "Usage: partyline-echo [options]\n\n"
        << describe() << '\n'
        << "Exit codes: 0 input ended and all was answered; 2 wrong usage; 3 nobody reads the output, a stream failed, or\n"
        << "a notification found no room; 4 handlers were cancelled after --drain-ms; 128 + N ended by signal N.\n";
}

} // namespace echo
