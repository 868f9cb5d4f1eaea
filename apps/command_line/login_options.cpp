#include "command_line/login_options.hpp"

#include "command_line/arguments.hpp"
#include "command_line/network_options.hpp"
#include "command_line/secret_file.hpp"
#include "command_line/token_store.hpp"

#include <partyline/http/oauth_client.hpp>

#include <boost/algorithm/string/predicate.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace po = boost::program_options;
namespace http = partyline::http;

namespace command_line {
namespace {

constexpr const char* details[] = {"client-id", "client-metadata", "scope",
                                   "issuer",    "redirect-port",   "allow-private-issuer"};

bool is_wanted(const po::variables_map& given)
{
    return given.count("login") || given.count("client-secret-file") || given.count("client-jwt-key");
}

// What would have no effect is refused.
void refuse_contradictions(const po::variables_map& given, const http::client_options& network)
{
    for (const auto& [name, value] : network.fields) {
        if (boost::algorithm::iequals(name, "authorization"))
            throw std::invalid_argument("--login and the credentials of a client exclude --header Authorization");
    }
    if (!network.proxy.empty() && !network.tls)
        throw std::invalid_argument(
            "--login and the credentials of a client do not go with a proxy to http:// or ws://, "
            "which could read the token");
    if (given.count("token-file"))
        throw std::invalid_argument("--login and the credentials of a client exclude --token-file");
    if (given.count("client-secret-file") && given.count("client-jwt-key"))
        throw std::invalid_argument("--client-secret-file and --client-jwt-key exclude each other");
    if (given.count("client-id") && given.count("client-metadata"))
        throw std::invalid_argument("--client-id and --client-metadata exclude each other: that address is the id");
    if (given.count("redirect-port") && !given.count("login"))
        throw std::invalid_argument("--redirect-port goes with --login");
}

std::vector<std::string> words_of(const std::string& text)
{
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

// The authorization server is reached as the server is.
std::function<std::string(const std::string&)> proxy_of(const po::variables_map& given)
{
    if (given.count("proxy-of-environment"))
        return http::proxy_of_environment;
    return [proxy = text_of(given, "proxy")](const std::string&) { return proxy; };
}

http::oauth_options options_of(const po::variables_map& given)
{
    http::oauth_options how;
    how.client_id = text_of(given, "client-id");
    how.metadata_url = text_of(given, "client-metadata");
    how.issuer = text_of(given, "issuer");
    how.proxy = proxy_of(given);
    how.scopes = words_of(text_of(given, "scope"));
    how.allow_private = given.count("allow-private-issuer") != 0;
    if (given.count("client-secret-file"))
        how.client_secret = read_secret(given["client-secret-file"].as<std::string>());
    if (given.count("client-jwt-key"))
        how.client_key = read_key(given["client-jwt-key"].as<std::string>());
    if (given.count("redirect-port"))
        how.redirect_port = static_cast<std::uint16_t>(in_range(given, "redirect-port", 1, 65535));
    return how;
}

} // namespace

void describe_login(po::options_description& all)
{
    auto add = all.add_options();
    add("login", "log in where the server asks for it (OAuth 2.1, as in MCP): the page is told on standard error, not "
                 "opened; a browser on this machine is sent back here. The tokens are kept in partyline/tokens.json in "
                 "$XDG_STATE_HOME or ~/.local/state");
    add("client-id", po::value<std::string>(),
        "the id under which the authorization server knows this program; unless given, it registers itself");
    add("client-secret-file", po::value<std::string>(),
        "the file whose first line is the secret of --client-id, which nobody else may read; without --login the program "
        "gets tokens for itself by it (client credentials)");
    add("client-jwt-key", po::value<std::string>(), "... or the file of its private key, PEM (private_key_jwt)");
    add("client-metadata", po::value<std::string>(),
        "the https:// address of a document about this program, which then is its id");
    add("scope", po::value<std::string>(), "\"A B\": ask for these scopes, too");
    add("issuer", po::value<std::string>(), "show id and secret to this authorization server alone");
    add("redirect-port", po::value<std::int64_t>(),
        "the port of 127.0.0.1 that --login is sent back to; unless given, the system chooses one");
    add("allow-private-issuer", "take an authorization server whose address is not public");
}

std::optional<login_options> login_of(const po::variables_map& given, const std::string& url,
                                      const http::client_options& network)
{
    if (!is_wanted(given)) {
        for (const char* const name : details) {
            if (given.count(name))
                throw std::invalid_argument("--" + std::string(name) +
                                            " goes with --login, --client-secret-file or --client-jwt-key");
        }
        return std::nullopt;
    }
    if (url.empty())
        throw std::invalid_argument("--login and the credentials of a client go with a server on the network: http://, "
                                    "https://, ws:// or wss://");
    refuse_contradictions(given, network);
    login_options wanted;
    wanted.is_by_person = given.count("login") != 0;
    wanted.how = options_of(given);
    wanted.how.tls = network.tls ? network.tls : context_of(given).connector();
    if (wanted.is_by_person)
        wanted.folder = state_folder();
    asio::io_context none; // what can't be worked with is found now
    start_login(none.get_executor(), url, wanted, [](std::string_view) {});
    return wanted;
}

std::shared_ptr<http::token_source> start_login(const asio::any_io_executor& executor, const std::string& url,
                                                const login_options& wanted,
                                                std::function<void(std::string_view line)> tell)
{
    http::oauth_options how = wanted.how;
    if (wanted.is_by_person) {
        how.open_page = [tell = std::move(tell)](const std::string& page) { tell("log in at " + page); };
        how.store = make_token_store(executor, wanted.folder);
    }
    return std::make_shared<http::oauth_client>(executor, url, std::move(how));
}

} // namespace command_line
