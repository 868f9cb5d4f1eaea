#include "destination.hpp"

#include "command_line/arguments.hpp"
#include "command_line/network_options.hpp"

#include <partyline/protocol/printable.hpp>

#include <stdexcept>
#include <utility>

namespace po = boost::program_options;

namespace call {
namespace {

using partyline::child_stderr;
using words = std::vector<std::string>;

std::pair<std::string, std::string> variable_of(const std::string& word)
{
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw std::invalid_argument("the argument for option '--env' is '" + partyline::printable(word) +
                                    "', expected NAME=VALUE");
    return {word.substr(0, equals), word.substr(equals + 1)};
}

partyline::child_options child_of(const po::variables_map& given)
{
    constexpr child_stderr errors[] = {child_stderr::capture, child_stderr::pass_on, child_stderr::drop};
    partyline::child_options child;
    child.errors = errors[command_line::choice_of(given, "stderr", {"show", "pass", "drop"})];
    child.working_directory = command_line::text_of(given, "cwd");
    if (given.count("env")) {
        for (const std::string& word : given["env"].as<words>())
            child.variables.insert(variable_of(word));
    }
    return child;
}

void refuse_without_child(const po::variables_map& given)
{
    for (const char* const name : {"stderr", "env", "cwd"}) {
        if (given.count(name))
            throw std::invalid_argument("--" + std::string(name) +
                                        " goes with a server that is started: -- SERVER ARGS");
    }
}

} // namespace

void describe_destinations(po::options_description& all)
{
    auto add = all.add_options();
    add("unix", po::value<std::string>(), "call the server that listens on this Unix socket");
    add("tcp", po::value<std::string>(), "call the server that listens on HOST:PORT");
    add("tls", po::value<std::string>(), "call the server that listens on HOST:PORT with TLS");
    add("stderr", po::value<std::string>(),
        "what becomes of the standard error of SERVER: show (the default: printed line by line, and "
        "the last lines again when the server dies), pass (it writes to ours itself), drop");
    add("env", po::value<words>()->composing(), "NAME=VALUE: set it for SERVER, besides what is set here");
    add("cwd", po::value<std::string>(), "start SERVER in this directory");
    command_line::describe_network(all);
    command_line::describe_login(all);
}

destination destination_of(const po::variables_map& given, words& before, const words& command)
{
    destination server;
    server.command = command;
    server.unix_path = command_line::text_of(given, "unix");
    for (const char* const name : {"tcp", "tls"}) {
        if (given.count(name))
            server.tcp = partyline::parse_tcp_address(given[name].as<std::string>());
    }
    if (!before.empty() && command_line::is_url(before.front())) {
        server.url = before.front();
        before.erase(before.begin());
    }
    const bool has_two = given.count("tcp") && given.count("tls");
    if (has_two || !command.empty() + !server.unix_path.empty() + server.tcp.has_value() + !server.url.empty() != 1)
        throw std::invalid_argument("name one server: -- SERVER ARGS, --unix PATH, --tcp HOST:PORT, --tls HOST:PORT or "
                                    "a URL, such as https://HOST/PATH");
    if (given.count("tls"))
        server.tls = command_line::tls_of(given);
    else
        server.network = command_line::network_of(given, server.url);
    server.login = command_line::login_of(given, server.url, server.network);
    if (command.empty())
        refuse_without_child(given);
    server.child = child_of(given);
    return server;
}

} // namespace call
