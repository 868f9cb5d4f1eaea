#include "destination.hpp"

#include "command_line/arguments.hpp"

#include <partyline/protocol/printable.hpp>
#include <partyline/tls/client_context.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace po = boost::program_options;

namespace call {
namespace {

using command_line::text_of;
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
    child.working_directory = text_of(given, "cwd");
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

bool is_url(const std::string& word)
{
    constexpr const char* schemes[] = {"http://", "https://", "ws://", "wss://"};
    return std::ranges::any_of(schemes, [&](const char* scheme) { return word.starts_with(scheme); });
}

std::pair<std::string, std::string> field_of(const std::string& word)
{
    const std::size_t colon = word.find(':');
    if (colon == 0 || colon == std::string::npos)
        throw std::invalid_argument("the argument for option '--header' is '" + partyline::printable(word) +
                                    "', expected NAME: VALUE");
    const std::size_t value = std::min(word.find_first_not_of(' ', colon + 1), word.size());
    return {word.substr(0, colon), word.substr(value)};
}

partyline::tls::client_context tls_of(const po::variables_map& given)
{
    partyline::tls::client_options how;
    how.ca_file = text_of(given, "tls-ca");
    how.certificate_file = text_of(given, "tls-certificate");
    how.key_file = text_of(given, "tls-key");
    how.alpn = {"http/1.1"};
    if (given.count("tls-insecure"))
        how.verify = partyline::tls::verify::none;
    return partyline::tls::client_context(std::move(how));
}

partyline::http::client_options network_of(const po::variables_map& given, const std::string& url)
{
    partyline::http::client_options how;
    if (url.starts_with("https://") || url.starts_with("wss://"))
        how.tls = tls_of(given).connector();
    if (given.count("header")) {
        for (const std::string& word : given["header"].as<words>())
            how.fields.push_back(field_of(word));
    }
    how.proxy = given.count("proxy-of-environment") ? partyline::http::proxy_of_environment(url) : text_of(given, "proxy");
    return how;
}

void refuse_without_url(const po::variables_map& given)
{
    for (const char* const name :
         {"tls-ca", "tls-certificate", "tls-key", "tls-insecure", "header", "proxy", "proxy-of-environment"}) {
        if (given.count(name))
            throw std::invalid_argument("--" + std::string(name) +
                                        " goes with a server on the network: http://, https://, ws:// or wss://");
    }
}

} // namespace

void describe_destinations(po::options_description& all)
{
    auto add = all.add_options();
    add("unix", po::value<std::string>(), "call the server that listens on this Unix socket");
    add("tcp", po::value<std::string>(), "call the server that listens on HOST:PORT");
    add("stderr", po::value<std::string>(),
        "what becomes of the standard error of SERVER: show (the default: printed line by line, and "
        "the last lines again when the server dies), pass (it writes to ours itself), drop");
    add("env", po::value<words>()->composing(), "NAME=VALUE: set it for SERVER, besides what is set here");
    add("cwd", po::value<std::string>(), "start SERVER in this directory");
    add("header", po::value<words>()->composing(), "\"NAME: VALUE\": say that in each request, for http:// and the like");
    add("proxy", po::value<std::string>(), "reach it by this proxy, http://HOST:PORT");
    add("proxy-of-environment", "... by the one that HTTPS_PROXY or http_proxy name, unless NO_PROXY has the host");
    add("tls-ca", po::value<std::string>(),
        "take the certificates of servers that one of this file has signed, PEM; unless given, those that the system trusts");
    add("tls-certificate", po::value<std::string>(), "show the server this certificate, PEM, with --tls-key");
    add("tls-key", po::value<std::string>(), "the private key of that, PEM");
    add("tls-insecure", "take whatever certificate a server has. Dangerous: whoever is on the way can be the server");
}

destination destination_of(const po::variables_map& given, words& before, const words& command)
{
    destination server;
    server.command = command;
    server.unix_path = text_of(given, "unix");
    if (given.count("tcp"))
        server.tcp = partyline::parse_tcp_address(given["tcp"].as<std::string>());
    if (!before.empty() && is_url(before.front())) {
        server.url = before.front();
        before.erase(before.begin());
    }
    if (!command.empty() + !server.unix_path.empty() + server.tcp.has_value() + !server.url.empty() != 1)
        throw std::invalid_argument("name one server: -- SERVER ARGS, --unix PATH, --tcp HOST:PORT or a URL, such as "
                                    "https://HOST/PATH");
    if (server.url.empty())
        refuse_without_url(given);
    else
        server.network = network_of(given, server.url);
    if (command.empty())
        refuse_without_child(given);
    server.child = child_of(given);
    return server;
}

} // namespace call
