#include "gateway/options.hpp"

#include "command_line/access_options.hpp"
#include "command_line/arguments.hpp"
#include "command_line/login_options.hpp"
#include "command_line/network_options.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <utility>

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
    command_line::describe_threads(all);
    command_line::describe_node(all);
    command_line::describe_access(all);
    command_line::describe_telemetry(all);
    add("stdio", po::value<std::string>(),
        "connect a host on standard input and output to the server at this URL: http://HOST:PORT/PATH or https:// "
        "(MCP), ws:// or wss:// (MCP or plain JSON-RPC)");
    command_line::describe_network(all);
    command_line::describe_login(all);
    describe_bus(all);
    add("share", "let all clients share one server, with --threads one for each thread; without it each session has a "
                 "server of its own");
    add("forward-peer", "with --access, or of a worker (--bus): tell the server who has sent each request, by "
                        "_meta[\"partyline/peer\"] = {principal, source, scopes} of its params, which are to be an "
                        "object");
    add("trace-upstream",
        "tell the server the trace of each request, by _meta.traceparent (W3C Trace Context) of params "
        "that are an object: that of its client, or a new one");
    add("max-sessions", po::value<std::int64_t>()->default_value(1000),
        "how many sessions there may be at once by HTTP requests, and as many again by WebSocket and without HTTP; "
        "without --share each of them has a server of its own; with --bus: of a front those by HTTP requests alone, of "
        "a worker all of them and open subscriptions; with --threads those by HTTP requests are divided among threads");
    add("session-idle", po::value<std::int64_t>()->default_value(1800),
        "end a session, and its server, that has not been used for so many seconds");
    add("retry-after", po::value<std::int64_t>()->default_value(30),
        "start a shared server that does not stay up again after so many seconds, without end; 0: end the gateway "
        "with exit code 3 instead");
    add("new-token", po::value<std::string>(),
        "print a new token for this principal, 'alice' or with scopes 'alice files:read', and its entry for \"tokens\" of "
        "an access file, and exit");
    add("new-key", po::value<std::string>(),
        "print a new private key for this principal, 'agent-7' or with scopes 'agent-7 files:read', for calls that are "
        "signed, and the entry of its public key for \"signers\" of an access file, and exit");
    add("explain", po::value<std::string>(),
        "print whether this principal with these scopes, 'alice files:read', may call METHOD [NAME] by the file of "
        "--access, and by which rule, and exit: with 0 if it may, else with 1");
    add("check-access", po::value<std::string>(), "read this access file, say what is wrong with it, and exit");
    return all;
}

options::action action_of(const po::variables_map& given)
{
    if (given.count("help"))
        return options::action::help;
    if (given.count("version"))
        return options::action::version;
    if (given.count("new-token"))
        return options::action::new_token;
    if (given.count("new-key"))
        return options::action::new_key;
    if (given.count("explain"))
        return options::action::explain;
    if (given.count("check-access"))
        return options::action::check_access;
    return given.count("stdio") ? options::action::serve_host : options::action::serve;
}

// Nothing else is done besides it.
void require_alone(const po::variables_map& given, const std::string& command)
{
    for (const auto& [name, value] : given) {
        const bool is_its_own = name == command || (name == "access" && command == "explain");
        if (!value.defaulted() && !is_its_own && !name.empty())
            throw std::invalid_argument("'--" + command + "' does not go with '--" + name + "'");
    }
}

explained_call asked_of(const po::variables_map& given, const std::vector<std::string>& words)
{
    explained_call asked; // in steps: gcc 12 destroys braces in braces twice when a later member throws
    for (const char* const name : {"new-token", "new-key"}) {
        if (!given.count(name))
            continue;
        require_alone(given, name);
        asked.caller = given[name].as<std::string>();
        return asked;
    }
    if (given.count("check-access")) {
        require_alone(given, "check-access");
        asked.access_file = given["check-access"].as<std::string>();
        return asked;
    }
    require_alone(given, "explain");
    if (words.empty() || words.size() > 2)
        throw std::invalid_argument("'--explain' takes a method, and what its params name: "
                                    "--explain 'alice files:read' tools/call read_file --access FILE");
    if (!given.count("access"))
        throw std::invalid_argument("'--explain' needs '--access'");
    asked.caller = given["explain"].as<std::string>();
    asked.method = words[0];
    asked.key = words.size() > 1 ? words[1] : "";
    asked.access_file = given["access"].as<std::string>();
    return asked;
}

// Whoever has one server gains nothing: what they pass on is a small part of what that does.
void refuse_threads_of_one_server(const po::variables_map& given, bool has_server)
{
    if (!given.count("threads"))
        return;
    if (given.count("stdio"))
        throw std::invalid_argument("'--threads' does not go with '--stdio': there is one client, the host, and one "
                                    "server");
    if (given.count("bus") && has_server)
        throw std::invalid_argument("'--threads' is not for the workers of a bus: all calls of a worker share its "
                                    "server; start more workers instead");
}

void read_remote(const po::variables_map& given, options& result)
{
    if (result.bus)
        throw std::invalid_argument("'--stdio' does not go with '--bus'");
    if (result.http.is_wanted() || !result.command.empty())
        throw std::invalid_argument("'--stdio' goes with neither '--listen' or '--http' nor a server to be started");
    if (result.http.access)
        throw std::invalid_argument("'--access' needs '--listen' or '--http'");
    const auto& text = given["stdio"].as<std::string>();
    network_address at; // in steps: gcc 12 destroys braces in braces twice when a later member throws
    at.url = text;
    at.how = command_line::network_of(given, text);
    at.is_told_traces = result.tells_traces;
    at.login = command_line::login_of(given, text, at.how);
    result.remote = std::move(at);
}

// A gateway on a bus has clients or a server.
void require_one_side(const options& given)
{
    const bool has_server = !given.command.empty();
    if (given.http.is_wanted() == has_server)
        throw std::invalid_argument("'--bus' takes either '--listen HOST:PORT', to pass calls on to workers, or "
                                    "'-- SERVER', to be a worker");
    if (has_server && given.http.access)
        throw std::invalid_argument("'--access' needs '--listen' or '--http'");
    if (!has_server && given.is_shared)
        throw std::invalid_argument("'--share' is for the workers of a bus");
    if (!has_server && given.tells_peers)
        throw std::invalid_argument("'--forward-peer' is for the workers of a bus");
}

// Without a server.
bool is_about_access(options::action what)
{
    using action = options::action;
    return what == action::new_token || what == action::new_key || what == action::explain ||
           what == action::check_access;
}

} // namespace

options parse_command_line(int argc, const char* const* argv)
{
    const std::vector<std::string> all(argv + (argc > 0), argv + argc);
    const auto dashes = std::find(all.begin(), all.end(), "--");
    const command_line::arguments ours =
        command_line::parse_with_words(std::vector<std::string>(all.begin(), dashes), describe());
    const po::variables_map& given = ours.options;

    options result;
    result.what = action_of(given);
    if (!ours.words.empty() && result.what != options::action::explain)
        throw std::invalid_argument("unexpected argument '" + ours.words.front() + "'");
    if (is_about_access(result.what)) {
        if (dashes != all.end() && dashes + 1 != all.end())
            throw std::invalid_argument("unexpected argument '" + *(dashes + 1) + "'");
        result.asked = asked_of(given, ours.words);
        return result;
    }
    if (dashes != all.end())
        result.command.assign(dashes + 1, all.end());
    refuse_threads_of_one_server(given, !result.command.empty());
    result.http = command_line::http_options_of(given);
    result.telemetry = command_line::telemetry_options_of(given, "partyline-gateway");
    result.is_shared = given.count("share") != 0;
    result.tells_peers = given.count("forward-peer") != 0;
    result.tells_traces = given.count("trace-upstream") != 0;
    result.http.server.mcp.sessions =
        static_cast<std::size_t>(command_line::in_range(given, "max-sessions", 1, 1000000));
    result.http.server.mcp.idle = std::chrono::seconds(command_line::in_range(given, "session-idle", 1, 1000000000));
    result.retry_after = std::chrono::seconds(command_line::in_range(given, "retry-after", 0, 1000000000));
    result.bus = bus_of(given);
    if (!result.bus || result.command.empty())
        refuse_of_workers(given);
    result.max_calls = static_cast<std::size_t>(command_line::in_range(given, "at-once", 1, 10000));
    result.drain = std::chrono::milliseconds(command_line::in_range(given, "drain-ms", 0, 1000000000));
    if (result.what == options::action::serve_host)
        read_remote(given, result);
    else {
        if (!result.bus)
            command_line::network_of(given, {}); // these refuse what goes with --stdio alone
        command_line::login_of(given, {}, {});
    }
    if (result.tells_peers && !result.http.access && !result.bus)
        throw std::invalid_argument("'--forward-peer' needs '--access'");
    if (result.what != options::action::serve)
        return result;
    if (result.bus) {
        require_one_side(result);
        return result;
    }
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
       partyline-gateway --listen HOST:PORT --bus nats://HOST,... --service NAME [options]
       partyline-gateway --bus nats://HOST,... --service NAME [options] -- SERVER ARGUMENTS...
       partyline-gateway --new-token PRINCIPAL | --new-key PRINCIPAL | --check-access FILE
       partyline-gateway --explain 'PRINCIPAL SCOPE...' METHOD [NAME] --access FILE

)" << describe()
        << R"(
With --threads nothing is shared on the way of a request: each thread has up to two servers of its own, one for plain
JSON-RPC and one for MCP, for the requests without a session, and with --share for all of its clients. Calls of a worker
share one server, and --stdio has one: both serve by one thread.

A server that ends is started again, after growing delays; requests that it has not answered get an error. GET /healthz
is answered with 503 while new clients can't be served: the server's program is missing, or a shared server was given up
and has not stayed up since (see --retry-after). Where the program is missing at the start, the gateway ends with exit
code 2. The end takes no longer than --lame-duck-ms and --http-drain-ms say: what is left then is killed. Of a front on
a bus GET /healthz is answered with 503 while there has been no connection to the bus for ten seconds. A worker has no
/healthz; its end takes no longer than --drain-ms says.

Exit codes: 0 all was done, or with --stdio input ended and all was answered; 1 the call of --explain is not allowed; 2
wrong usage, an access file, certificate or key that can't be used, or a missing program; 3 an address can't be listened
on, standard output can't be written, a server did not stay up (--retry-after 0), or the connection of --stdio has
failed; 4 with --stdio, requests were cancelled that took too long after the end of input; 128 + N ended by signal N.
While it listens, or works on a bus, a signal or --retry-after 0 alone ends it.
)";
}

} // namespace gateway
