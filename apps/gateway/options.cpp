#include "gateway/options.hpp"

#include "command_line/arguments.hpp"
#include "command_line/network_options.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ostream>
#include <stdexcept>

namespace po = boost::program_options;

namespace gateway {
namespace {

po::options_description describe()
{
    po::options_description all("Options");
    auto add = all.add_options();
    add("help", "print this and exit");
    add("version", "print the version and exit");
    command_line::describe_http(all);
    add("stdio", po::value<std::string>(),
        "serve a host on standard input and output by a server at this address: http://HOST:PORT/PATH or https:// "
        "(MCP), ws:// or "
        "wss:// (any)");
    command_line::describe_network(all);
    add("share",
        "one server for all clients, also for those that have sessions; without it each session has one of its own");
    add("max-sessions", po::value<std::int64_t>()->default_value(1000),
        "most sessions at once that come by requests, and as many again by WebSocket and without HTTP; without --share "
        "each has a "
        "server of its own");
    add("session-idle", po::value<std::int64_t>()->default_value(1800),
        "a session that nobody uses for so many seconds ends, and its server with it");
    add("retry-after", po::value<std::int64_t>()->default_value(30),
        "a server that clients share and that does not stay up is started again after so many seconds, for ever; 0: "
        "the gateway "
        "ends then, with exit code 3");
    return all;
}

options::action action_of(const po::variables_map& given)
{
    if (given.count("help"))
        return options::action::help;
    if (given.count("version"))
        return options::action::version;
    return given.count("stdio") ? options::action::serve_host : options::action::serve;
}

} // namespace

options parse_command_line(int argc, const char* const* argv)
{
    const std::vector<std::string> all(argv, argv + argc);
    const auto dashes = std::find(all.begin(), all.end(), "--");
    const std::vector<std::string> ours(all.begin(), dashes);
    std::vector<const char*> words;
    for (const std::string& one : ours)
        words.push_back(one.c_str());
    const po::variables_map given = command_line::parse(static_cast<int>(words.size()), words.data(), describe());

    options result;
    result.what = action_of(given);
    result.http = command_line::http_options_of(given);
    result.is_shared = given.count("share") != 0;
    result.http.server.mcp.sessions =
        static_cast<std::size_t>(command_line::in_range(given, "max-sessions", 1, 1000000));
    result.http.server.mcp.idle = std::chrono::seconds(command_line::in_range(given, "session-idle", 1, 1000000000));
    result.retry_after = std::chrono::seconds(command_line::in_range(given, "retry-after", 0, 1000000000));
    if (dashes != all.end())
        result.command.assign(dashes + 1, all.end());
    if (result.what == options::action::serve_host) {
        if (result.http.is_wanted() || !result.command.empty())
            throw std::invalid_argument(
                "'--stdio' goes with neither '--listen' or '--http' nor a server to be started");
        const auto& text = given["stdio"].as<std::string>();
        result.remote = network_address{text, command_line::network_of(given, text)};
    }
    if (result.what != options::action::serve)
        return result;
    if (!result.http.is_wanted())
        throw std::invalid_argument("say where to listen: --listen HOST:PORT");
    if (result.command.empty() || result.command.front().empty())
        throw std::invalid_argument("name the server to be started, behind two dashes: -- SERVER ARGUMENTS");
    return result;
}

void print_help(std::ostream& out)
{
    out << "partyline-gateway: serves a JSON-RPC server on standard input and output over the network: by HTTP, as "
           "plain\n"
        << "JSON-RPC by POST at /rpc and one of the Model Context Protocol as Streamable HTTP at /mcp; by WebSocket at "
           "/ws (plain)\n"
        << "and /mcp/ws; and with --listen as sessions of messages, one a line or behind Content-Length\n\n"
        << "Usage: partyline-gateway --listen HOST:PORT [options] -- SERVER ARGUMENTS...\n"
        << "       partyline-gateway --stdio URL     the other way\n\n"
        << describe() << '\n'
        << "A server that ends is started again, after growing pauses; what it did not answer is answered by an error. "
           "GET\n"
        << "/healthz is answered 503 while new clients can't be served: the server's program is gone, or a server that "
           "clients\n"
        << "share is given up, until it stays up again (see --retry-after). A program that is not there at the start "
           "ends the\n"
        << "gateway with exit code 2. The end takes no longer than --http-drain-ms says: what is left then is "
           "killed.\n";
}

} // namespace gateway
