#include "command_line/network_options.hpp"

#include "command_line/arguments.hpp"
#include "command_line/secret_file.hpp"

#include <partyline/protocol/printable.hpp>
#include <partyline/tls/client_context.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace po = boost::program_options;

namespace command_line {
namespace {

using words = std::vector<std::string>;

std::pair<std::string, std::string> field_of(const std::string& word)
{
    const std::size_t colon = word.find(':');
    if (colon == 0 || colon == std::string::npos)
        throw std::invalid_argument("the argument for option '--header', which may be a secret, is not NAME: VALUE");
    const std::size_t value = std::min(word.find_first_not_of(' ', colon + 1), word.size());
    return {word.substr(0, colon), word.substr(value)};
}

bool is_secure(const std::string& scheme)
{
    return scheme == "https" || scheme == "wss";
}

std::string lower_case(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

// Without user, port and path; an address of IPv6 with its brackets.
std::string host_of(const std::string& url)
{
    const std::string rest = url.substr(url.find("://") + 3);
    std::string authority = rest.substr(0, rest.find_first_of("/?#"));
    authority.erase(0, authority.rfind('@') + 1); // npos + 1 is 0
    const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
    return lower_case(authority.substr(0, authority.find(':', std::min(bracket, authority.size()))));
}

bool is_loopback(const std::string& host)
{
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

// Whoever is on the way can read what isn't encrypted. A proxy makes a way of its own, whatever the address is.
void refuse_plain(const std::string& url, const std::string& proxy)
{
    const bool stays_here = proxy.empty() && is_loopback(host_of(url));
    if (!is_secure(scheme_of(url)) && !stays_here)
        throw std::invalid_argument("--token-file: the token would travel in the clear to " +
                                    partyline::printable(host_of(url)) +
                                    ": use https:// or wss://, or --allow-plain-token where something else encrypts");
}

void add_token(partyline::http::client_options& how, const po::variables_map& given, const std::string& url)
{
    if (!given.count("token-file"))
        return;
    if (!given.count("allow-plain-token"))
        refuse_plain(url, how.proxy);
    for (const auto& [name, value] : how.fields) {
        if (lower_case(name) == "authorization")
            throw std::invalid_argument("--token-file and --header Authorization exclude each other");
    }
    how.fields.emplace_back("Authorization", "Bearer " + read_token(given["token-file"].as<std::string>()));
}

void refuse_each(const po::variables_map& given, std::initializer_list<const char*> names)
{
    for (const char* const name : names) {
        if (given.count(name))
            throw std::invalid_argument("--" + std::string(name) +
                                        " goes with a server on the network: http://, https://, ws:// or wss://");
    }
}

void refuse_http(const po::variables_map& given)
{
    refuse_each(given, {"header", "token-file", "allow-plain-token", "proxy", "proxy-of-environment"});
}

void refuse_all(const po::variables_map& given)
{
    refuse_each(given, {"tls-ca", "client-certificate", "client-key", "tls-insecure"});
    refuse_http(given);
}

} // namespace

std::string scheme_of(const std::string& word)
{
    const std::size_t end = word.find("://");
    return end == word.npos ? std::string() : lower_case(word.substr(0, end));
}

bool is_url(const std::string& word)
{
    const std::string scheme = scheme_of(word);
    return scheme == "http" || scheme == "ws" || is_secure(scheme);
}

void describe_network(po::options_description& all)
{
    auto add = all.add_options();
    add("header", po::value<words>()->composing(),
        "\"NAME: VALUE\": say that in each request, for http:// and the like");
    add("token-file", po::value<std::string>(),
        "authenticate by the Bearer token that is the first line of this file, which nobody else may read (chmod 600); "
        "unlike a --header it is not seen in the list of processes");
    add("allow-plain-token", "send the token of --token-file to http:// and ws:// of other machines, too. Dangerous: "
                             "whoever is on the way can read it");
    add("proxy", po::value<std::string>(), "reach it by this proxy, HOST:PORT");
    add("proxy-of-environment", "... by the one that HTTPS_PROXY or http_proxy name, unless NO_PROXY has the host");
    add("tls-ca", po::value<std::string>(),
        "take the certificates of servers that one of this file has signed, PEM; unless given, those that the system "
        "trusts");
    add("client-certificate", po::value<std::string>(), "show the server this certificate, PEM, with --client-key");
    add("client-key", po::value<std::string>(), "the private key of that, PEM");
    add("tls-insecure", "take whatever certificate a server has. Dangerous: whoever is on the way can be the server");
}

partyline::http::client_options network_of(const po::variables_map& given, const std::string& url)
{
    if (url.empty()) {
        refuse_all(given);
        return {};
    }
    if (given.count("allow-plain-token") && !given.count("token-file"))
        throw std::invalid_argument("--allow-plain-token goes with --token-file");
    partyline::http::client_options how;
    if (is_secure(scheme_of(url)))
        how.tls = context_of(given).connector();
    if (given.count("header")) {
        for (const std::string& word : given["header"].as<words>())
            how.fields.push_back(field_of(word));
    }
    how.proxy =
        given.count("proxy-of-environment") ? partyline::http::proxy_of_environment(url) : text_of(given, "proxy");
    add_token(how, given, url);
    return how;
}

partyline::tls::client_context context_of(const po::variables_map& given)
{
    partyline::tls::client_options how;
    how.ca_file = text_of(given, "tls-ca");
    how.certificate_file = text_of(given, "client-certificate");
    how.key_file = text_of(given, "client-key");
    if (given.count("tls-insecure"))
        how.verify = partyline::tls::verify::none;
    return partyline::tls::client_context(std::move(how));
}

partyline::tls::client_context tls_of(const po::variables_map& given)
{
    refuse_http(given);
    return context_of(given);
}

} // namespace command_line
