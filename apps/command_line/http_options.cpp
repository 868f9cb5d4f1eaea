#include "command_line/http_options.hpp"

#include "command_line/access_options.hpp"
#include "command_line/arguments.hpp"
#include "command_line/line_log.hpp"
#include "http/serve/node_name.hpp"

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace po = boost::program_options;

namespace command_line {
namespace {

std::vector<std::string> texts_of(const po::variables_map& given, const std::string& name)
{
    return given.count(name) ? given[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

partyline::tls::server_context read_certificates(const po::variables_map& given)
{
    const std::vector<std::string> certificates = texts_of(given, "tls-certificate");
    const std::vector<std::string> keys = texts_of(given, "tls-key");
    if (certificates.size() != keys.size())
        throw std::invalid_argument("each '--tls-certificate' needs its '--tls-key', and the other way round");
    partyline::tls::server_options how;
    for (std::size_t i = 0; i != keys.size(); ++i)
        how.certificates.push_back({certificates[i], keys[i]});
    if (given.count("tls-client-ca"))
        how.client_ca_file = given["tls-client-ca"].as<std::string>();
    return partyline::tls::server_context(std::move(how));
}

void refuse_without(const po::variables_map& given, const char* name, bool is_there, const std::string& needed)
{
    if (given.count(name) && !is_there)
        throw std::invalid_argument("the option '--" + std::string(name) + "' needs " + needed);
}

void refuse_without(const po::variables_map& given, const char* name, const std::string& needed)
{
    refuse_without(given, name, given.count(needed) != 0, "'--" + needed + '\'');
}

void refuse_alone(const po::variables_map& given, const char* name, bool is_wanted)
{
    refuse_without(given, name, is_wanted, "'--listen' or '--http'");
}

void refuse_without_all_protocols(const po::variables_map& given, const char* name)
{
    refuse_without(given, name, given.count("listen") || given.count("listen-inherited"),
                   "'--listen' or '--listen-inherited'");
}

inherited_use inherited_use_of(const po::variables_map& given)
{
    const bool is_http = given.count("http-inherited") != 0;
    if (!given.count("listen-inherited"))
        return is_http ? inherited_use::http : inherited_use::none;
    if (is_http)
        throw std::invalid_argument("'--http-inherited' and '--listen-inherited' exclude each other: both take all "
                                    "sockets that systemd has opened");
    return inherited_use::all_protocols;
}

void refuse_plain_beside_tls(const po::variables_map& given)
{
    for (const char* name : {"tls-client-ca", "tls-only"}) {
        refuse_without(given, name, "tls-certificate");
        for (const char* plain : {"http", "http-unix", "http-inherited"}) {
            if (given.count(name) && given.count(plain))
                throw std::invalid_argument("'--" + std::string(name) + "' lets nobody in without TLS, and '--" +
                                            plain + "' does");
        }
    }
}

// Here, so that it is told before anything is opened.
std::string checked_node(std::string name)
{
    if (!partyline::http::is_node_name(name))
        throw std::invalid_argument("the argument for option '--node' is to be 1 to 32 of a-z and 0-9");
    return name;
}

::mode_t read_mode(std::string_view text)
{
    ::mode_t mode = 0;
    const char* const end = text.data() + text.size();
    const auto [at, failed] = std::from_chars(text.data(), end, mode, 8);
    if (failed != std::errc() || at != end || mode > 0777)
        throw std::invalid_argument("the argument for option '--unix-mode' is to be permissions in octal, such as 660");
    return mode;
}

line_log open_access_log(const std::string& path)
try {
    return open_line_log("--access-log", path, say_as_program);
} catch (const std::system_error& e) {
    throw std::runtime_error("cannot write to " + path + ": " + e.code().message());
}

} // namespace

void describe_threads(po::options_description& all)
{
    all.add_options()("threads", po::value<std::int64_t>(),
                      "with --listen, --http and other sockets: how many threads serve them; 0: one for each core; 1 "
                      "unless given");
}

void describe_http(po::options_description& all)
{
    auto add = all.add_options();
    add("listen", po::value<std::vector<std::string>>(),
        "serve HTTP, WebSocket (at /ws, servers of MCP at /mcp/ws) and sessions on HOST:PORT, whatever a client begins "
        "with; PORT alone is on 127.0.0.1, port 0 one that the system chooses; may be given again");
    add("http", po::value<std::vector<std::string>>(), "the same with HTTP and WebSocket alone");
    add("proxy-protocol", "with --listen: a proxy in front says by the PROXY protocol from where each connection "
                          "comes, and nobody else connects");
    add("http-unix", po::value<std::vector<std::string>>(),
        "serve HTTP on a Unix socket at this path; may be given again");
    add("unix-mode", po::value<std::string>(),
        "the permissions of the Unix sockets that are listened on, in octal: 660 lets their group connect, too; 600 "
        "unless given");
    add("listen-inherited", "the same as --listen, and with its options, on the sockets that systemd has opened "
                            "(LISTEN_FDS)");
    add("http-inherited", "serve HTTP on the sockets that systemd has opened (LISTEN_FDS)");
    add("tls-certificate", po::value<std::vector<std::string>>(),
        "with --listen: whoever begins with TLS is shown the certificate of this file, PEM with its chain; may be "
        "given again, each "
        "with its key: the host that a client asks for tells which. SIGHUP has the files read again");
    add("tls-key", po::value<std::vector<std::string>>(),
        "the private key of the certificate, PEM without a passphrase");
    add("tls-client-ca", po::value<std::string>(),
        "with these: only clients with a certificate that one of this file has signed are let in, and nobody without "
        "TLS");
    add("tls-only", "with these: nobody is let in without TLS; unless given, plain text is spoken beside it");
    add("allow-any-address",
        "listen on other addresses than loopback although clients are not authenticated (no --access) or tokens travel "
        "in the clear (no --tls-only): something in front has to authenticate clients, or to encrypt");
    add("allow-host", po::value<std::vector<std::string>>(),
        "a name under which HTTP clients may ask, besides localhost, 127.0.0.1 and [::1]; may be given again");
    add("allow-origin", po::value<std::vector<std::string>>(),
        "an origin of web pages that may ask, \"https://example.org\"; may be given again");
    add("access-log", po::value<std::string>(),
        "write a line of JSON about each HTTP request to this file, - to standard error");
    add("max-connections", po::value<std::int64_t>(),
        "most connections at once; for HTTP 10240 unless given, else 1024");
    add("max-connections-per-address", po::value<std::int64_t>(),
        "most of them from one address, loopback included; unless given: half, but no less than 64");
    add("lame-duck-ms", po::value<std::int64_t>(),
        "at the end, serve on for so long, with /healthz 503 and Connection: close, before nobody new is let in: longer "
        "than a balancer takes to notice; 0 unless given");
    add("http-drain-ms", po::value<std::int64_t>(),
        "how long HTTP requests may take that are under way at the end; 30000 unless given");
}

void describe_node(po::options_description& all)
{
    all.add_options()("node", po::value<std::string>(),
                      "the name of this process among those behind a balancer, of a-z and 0-9: ids of MCP sessions "
                      "begin with it and a dot, by which the balancer knows where a session is");
}

http_options http_options_of(const po::variables_map& given)
{
    http_options result;
    result.manager = std::make_shared<service_manager>();
    for (const std::string& text : texts_of(given, "listen"))
        result.all_protocols.push_back(partyline::parse_tcp_address(text));
    for (const std::string& text : texts_of(given, "http"))
        result.addresses.push_back(partyline::parse_tcp_address(text));
    result.unix_paths = texts_of(given, "http-unix");
    if (given.count("unix-mode")) {
        if (!given.count("unix"))
            refuse_without(given, "unix-mode", "http-unix");
        result.unix_mode = read_mode(given["unix-mode"].as<std::string>());
    }
    result.inherited = inherited_use_of(given);
    for (const char* name : {"allow-origin", "access-log", "lame-duck-ms", "http-drain-ms", "node"})
        refuse_alone(given, name, result.is_wanted());
    refuse_alone(given, "allow-host", result.is_wanted() || given.count("metrics"));
    refuse_alone(given, "allow-any-address", result.is_wanted() || given.count("tcp") || given.count("metrics"));
    for (const char* name : {"proxy-protocol", "tls-certificate", "tls-key"})
        refuse_without_all_protocols(given, name);
    refuse_plain_beside_tls(given);
    result.wants_tls_alone = given.count("tls-client-ca") || given.count("tls-only");
    if (given.count("tls-certificate") || given.count("tls-key")) {
        result.tls = read_certificates(given);
        result.server.tls = result.tls->maker();
    }
    result.access = access_of(given);
    result.server.access = result.access;
    result.has_proxy = given.count("proxy-protocol") != 0;
    const bool has_other_sockets = given.count("tcp") != 0 || given.count("unix") != 0;
    for (const char* name : {"max-connections", "max-connections-per-address"})
        refuse_alone(given, name, result.is_wanted() || has_other_sockets);
    if (given.count("allow-any-address"))
        result.server.may_listen = partyline::http::exposure::anywhere;
    result.server.allowed_hosts = texts_of(given, "allow-host");
    result.server.allowed_origins = texts_of(given, "allow-origin");
    if (given.count("access-log"))
        result.server.access_log = open_access_log(given["access-log"].as<std::string>());
    refuse_alone(given, "threads", result.is_wanted() || has_other_sockets);
    if (given.count("threads"))
        result.server.threads = static_cast<std::size_t>(in_range(given, "threads", 0, 1024));
    result.server.max_connections = count_of(given, "max-connections").value_or(result.server.max_connections);
    result.server.max_connections_per_address = count_of(given, "max-connections-per-address");
    if (given.count("node"))
        result.server.node = checked_node(given["node"].as<std::string>());
    if (given.count("lame-duck-ms"))
        result.server.times.lame_duck = std::chrono::milliseconds(in_range(given, "lame-duck-ms", 0, 1000000000));
    if (given.count("http-drain-ms"))
        result.server.times.drain = std::chrono::milliseconds(in_range(given, "http-drain-ms", 0, 1000000000));
    return result;
}

} // namespace command_line
