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
        "connect a host on standard input and output to the server at this URL: http://HOST:PORT/PATH or https:// "
        "(MCP), ws:// or wss:// (MCP or plain JSON-RPC)");
    command_line::describe_network(all);
    add("share", "let all clients share one server; without it each session has a server of its own");
    add("max-sessions", po::value<std::int64_t>()->default_value(1000),
        "how many sessions there may be at once by HTTP requests, and as many again by WebSocket and without HTTP; "
        "without --share each of them has a server of its own");
    add("session-idle", po::value<std::int64_t>()->default_value(1800),
        "end a session, and its server, that has not been used for so many seconds");
    add("retry-after", po::value<std::int64_t>()->default_value(30),
        "start a shared server that does not stay up again after so many seconds, without end; 0: end the gateway "
        "with exit code 3 instead");
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
        throw std::invalid_argument("name the server to be started, after two dashes: -- SERVER ARGUMENTS");
    return result;
}

void print_help(std::ostream& out)
{
    out << R"(partyline-gateway: serves a JSON-RPC server on standard input and output over the network: by HTTP, plain
JSON-RPC by POST to /rpc and MCP (Streamable HTTP) at /mcp; by WebSocket at /ws (plain) and /mcp/ws (MCP); and with
--listen without HTTP, one message a line or after a Content-Length header

Usage: partyline-gateway --listen HOST:PORT [options] -- SERVER ARGUMENTS...
       partyline-gateway --stdio URL     the other way round

)" << describe()
        << R"(
A server that ends is started again, after growing delays; requests that it has not answered get an error. GET /healthz
is answered with 503 while new clients can't be served: the server's program is missing, or a shared server was given up
and has not stayed up since (see --retry-after). Where the program is missing at the start, the gateway ends with exit
code 2. The end takes no longer than --http-drain-ms says: what is left then is killed.
)";
}

} // namespace gateway
