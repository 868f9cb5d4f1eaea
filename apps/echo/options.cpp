#include "options.hpp"

#include "command_line/access_options.hpp"
#include "command_line/arguments.hpp"
#include "command_line/limit_options.hpp"
#include "command_line/wire_options.hpp"

#include <partyline/lsp/profile.hpp>
#include <partyline/server.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
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
        "listen on HOST:PORT; PORT alone is on 127.0.0.1, port 0 one that the system chooses. Other addresses than "
        "loopback need --allow-any-address, since nothing is encrypted");
    command_line::describe_http(all);
    command_line::describe_threads(all);
    command_line::describe_access(all);
    command_line::describe_telemetry(all);
    add("memory-bytes", po::value<std::int64_t>(),
        "with --unix and --tcp: most bytes of messages that all sessions hold together; 0: no such limit; 536870912 "
        "unless "
        "given");
    add("first-message-timeout", po::value<double>(),
        "with --unix, --tcp and --listen: how long the first message may take, in seconds; 0: for ever; 30 unless "
        "given");
    add("idle-timeout", po::value<double>(),
        "with --unix, --tcp and --listen: how long a session may have nothing to do, in seconds; 0: for ever; 3600 "
        "unless "
        "given");
    add("end-of-input", po::value<std::string>()->default_value("half-close"),
        "what the end of input means: half-close (what runs is finished, within --drain-ms), peer-gone (it is "
        "cancelled)");
    add("profile", po::value<std::string>()->default_value("plain"),
        "the protocol: plain (JSON-RPC 2.0), lsp (a language server: initialize, shutdown, exit, Content-Length)");
    command_line::describe_framing(all);
    add("pool-threads", po::value<std::int64_t>()->default_value(2), "threads of the pool that runs \"spin\"");
    add("drain-ms", po::value<std::int64_t>(),
        "how long handlers may run after the end of input, in milliseconds. Unless given: 5000 with --unix and --tcp, "
        "else "
        "30000");
    add("cancel-grace-ms", po::value<std::int64_t>()->default_value(2000),
        "how long a cancelled handler may take to end, in milliseconds");
    add("write-stall-ms", po::value<std::int64_t>(),
        "end when nobody reads the output for so long, in milliseconds; 0: never. Unless given: 60000 with --unix and "
        "--tcp, never on standard output");
    add("write-stall-bytes", po::value<std::int64_t>()->default_value(16384),
        "who reads less than that in the time of --write-stall-ms, and is behind, counts as nobody");
    add("on-overload", po::value<std::string>()->default_value("auto"),
        "a request that may not wait any more: busy (refuse it), pause (stop reading), auto (pause where input is a "
        "regular file)");
    add("expose-errors", "send the texts of unexpected exceptions to the peer");
    add("trace", po::value<std::string>(), "write every message to this file, - is standard error");
    add("stats", "print what was counted to standard error at the end; not with HTTP");
    all.add(command_line::describe_limits());
    return all;
}

std::chrono::milliseconds milliseconds(const po::variables_map& given, const char* name)
{
    return std::chrono::milliseconds(command_line::in_range(given, name, 0, 1000000000));
}

std::optional<std::chrono::steady_clock::duration> seconds(const po::variables_map& given, const char* name)
{
    if (!given.count(name))
        return std::nullopt;
    const double value = given[name].as<double>();
    if (!(value >= 0 && value <= 1e9))
        throw std::invalid_argument("the argument for option '--" + std::string(name) +
                                    "' is out of range: expected 0 to 1e9");
    return std::chrono::ceil<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(value)); // 0 alone is none
}

partyline::end_of_input end_of_input_of(const po::variables_map& given)
{
    const auto& value = given["end-of-input"].as<std::string>();
    if (value == "half-close")
        return partyline::end_of_input::half_close;
    if (value == "peer-gone")
        return partyline::end_of_input::peer_gone;
    throw std::invalid_argument("the argument for option '--end-of-input' is '" + value +
                                "', expected half-close or peer-gone");
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
    throw std::invalid_argument("the argument for option '--on-overload' is '" + value +
                                "', expected busy, pause or auto");
}

bool is_language_server(const po::variables_map& given)
{
    const auto& value = given["profile"].as<std::string>();
    if (value != "plain" && value != "lsp")
        throw std::invalid_argument("the argument for option '--profile' is '" + value + "', expected plain or lsp");
    return value == "lsp";
}

constexpr std::array<const char*, 5> web_options{"listen", "listen-inherited", "http", "http-unix", "http-inherited"};

bool is_for_web(const po::variables_map& given)
{
    return std::ranges::any_of(web_options, [&](const char* name) { return given.count(name) != 0; });
}

options::action action_of(const po::variables_map& given)
{
    if (given.count("help"))
        return options::action::help;
    if (given.count("version"))
        return options::action::version;
    if (given.count("unix") || given.count("tcp"))
        return options::action::listen;
    if (is_for_web(given))
        return options::action::serve_http;
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
    refuse_together(given, "demo", "access");
    for (const char* web : web_options) {
        for (const char* other : {"unix", "tcp", "demo"})
            refuse_together(given, web, other);
        refuse_together(given, "stats", web); // which tells of no session's end
    }
    result.unix_paths = texts(given, "unix");
    for (const std::string& text : texts(given, "tcp"))
        result.tcp_addresses.push_back(partyline::parse_tcp_address(text));
}

bool is_time(std::string_view name)
{
    return name.ends_with("-timeout");
}

// How many connections there may be is for all kinds of servers, and sessions without HTTP are where all is spoken.
bool is_for_http(const po::variables_map& given, std::string_view name)
{
    if (action_of(given) != options::action::serve_http)
        return false;
    const bool has_sessions = given.count("listen") || given.count("listen-inherited");
    return name.starts_with("max-connections") || (has_sessions && is_time(name));
}

void read_connections(const po::variables_map& given, options& result)
{
    for (const char* name :
         {"max-connections", "max-connections-per-address", "memory-bytes", "first-message-timeout", "idle-timeout"}) {
        if (given.count(name) && result.unix_paths.empty() && result.tcp_addresses.empty() && !is_for_http(given, name))
            throw std::invalid_argument("the option '--" + std::string(name) + "' needs " +
                                        (is_time(name) ? "'--listen', " : "") + "'--unix' or '--tcp'");
    }
    result.max_connections =
        command_line::count_of(given, "max-connections").value_or(partyline::server_options().max_connections);
    result.max_connections_per_address = command_line::count_of(given, "max-connections-per-address");
    if (given.count("memory-bytes"))
        result.memory_bytes =
            static_cast<std::size_t>(command_line::in_range(given, "memory-bytes", 0, std::int64_t(1) << 40));
    partyline::session_options& session = result.stdio.session;
    session.first_message_timeout = seconds(given, "first-message-timeout");
    session.idle_timeout = seconds(given, "idle-timeout");
    session.at_end_of_input = end_of_input_of(given);
}

} // namespace

options parse_command_line(int argc, const char* const* argv)
{
    const po::variables_map given = command_line::parse(argc, argv, describe());

    options result;
    result.what = action_of(given);
    result.pool_threads = static_cast<std::size_t>(command_line::in_range(given, "pool-threads", 1, 1024));
    partyline::session_options& session = result.stdio.session;
    if (given.count("drain-ms"))
        session.drain_timeout = milliseconds(given, "drain-ms");
    session.cancel_grace = milliseconds(given, "cancel-grace-ms");
    if (given.count("write-stall-ms"))
        session.write_stall = milliseconds(given, "write-stall-ms");
    session.write_stall_bytes =
        static_cast<std::size_t>(command_line::in_range(given, "write-stall-bytes", 0, 1000000000));
    session.on_overload = overload_of(given);
    session.framing = command_line::framing_of(given);
    result.is_language_server = is_language_server(given);
    if (result.is_language_server)
        session.profile = &partyline::lsp::profile;
    session.bounds = command_line::limits_of(given);
    session.expose_errors = given.count("expose-errors") != 0;
    result.wants_stats = given.count("stats") != 0;
    read_addresses(given, result);
    read_connections(given, result);
    result.http = command_line::http_options_of(given);
    result.http.server.session = session;
    result.stdio.access = result.http.access;
    result.telemetry = command_line::telemetry_options_of(given, "partyline-echo");
    if (given.count("trace"))
        result.trace_file = given["trace"].as<std::string>();
    return result;
}

void print_help(std::ostream& out)
{
    out << "partyline-echo: a sample JSON-RPC 2.0 server on standard input and output or on sockets\n\n"
        << "Usage: partyline-echo [options]\n"
        << "       partyline-echo [options] --unix PATH | --tcp HOST:PORT ...\n"
        << "       partyline-echo [options] --http HOST:PORT ...    (POST /rpc)\n\n"
        << describe() << '\n'
        << "Exit codes: 0 input ended and all was answered; 1 exit without shutdown (--profile lsp), or --demo has "
           "failed; 2\n"
        << "wrong usage, or a file that can't be used; 3 nobody reads the output, a stream failed, a notification "
           "found no\n"
        << "room, or the user may not call any more; 4 handlers were cancelled after --drain-ms; 128 + N ended by "
           "signal N.\n"
        << "On sockets: 3 an address can't be listened on; else it ends by a signal only. Where it listens it says on\n"
        << "standard error, one line for each address: \"listening on tcp 127.0.0.1:8080\".\n";
}

} // namespace echo
