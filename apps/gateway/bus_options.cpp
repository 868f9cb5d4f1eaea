#include "gateway/bus_options.hpp"

#include "command_line/arguments.hpp"
#include "command_line/network_options.hpp"
#include "command_line/secret_file.hpp"
#include "fleet/wire/names.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace po = boost::program_options;

namespace gateway {
namespace {

std::vector<std::string> addresses_of(std::string_view list)
{
    std::vector<std::string> all;
    for (bool goes_on = true; goes_on;) {
        const std::size_t comma = list.find(',');
        goes_on = comma != std::string_view::npos;
        all.emplace_back(list.substr(0, comma));
        list.remove_prefix(goes_on ? comma + 1 : 0);
        const std::string scheme = command_line::scheme_of(all.back());
        if (scheme != "nats" && scheme != "tls")
            throw std::invalid_argument("--bus takes addresses of NATS servers, separated by commas: "
                                        "nats://HOST:PORT or tls://HOST:PORT");
    }
    return all;
}

std::string service_of(const po::variables_map& given)
{
    std::string name = given["service"].as<std::string>();
    if (!partyline::fleet::is_name(name))
        throw std::invalid_argument("--service takes a name of 1 to 64 letters, digits, '_' and '-'");
    return name;
}

void read_tls(const po::variables_map& given, partyline::fleet::bus_options& to)
{
    const auto is_tls = [](const std::string& address) { return command_line::scheme_of(address) == "tls"; };
    if (std::ranges::none_of(to.servers, is_tls)) {
        for (const char* const name : {"tls-ca", "client-certificate", "client-key"}) {
            if (given.count(name))
                throw std::invalid_argument("'--" + std::string(name) + "' needs an address with tls:// in '--bus'");
        }
        command_line::network_of(given, {}); // refuses the others of them
        return;
    }
    if (given.count("tls-insecure"))
        throw std::invalid_argument("--tls-insecure does not go with --bus");
    command_line::tls_of(given); // the files are there, and are what they should be
    to.ca_file = command_line::text_of(given, "tls-ca");
    to.certificate_file = command_line::text_of(given, "client-certificate");
    to.key_file = command_line::text_of(given, "client-key");
}

void refuse_without_bus(const po::variables_map& given)
{
    for (const char* const name : {"service", "bus-credentials"}) {
        if (given.count(name))
            throw std::invalid_argument("'--" + std::string(name) + "' needs '--bus'");
    }
}

} // namespace

void refuse_of_workers(const po::variables_map& given)
{
    for (const char* const name : {"at-once", "drain-ms"}) {
        if (!given[name].defaulted())
            throw std::invalid_argument("'--" + std::string(name) + "' is for the workers of a bus");
    }
}

void describe_bus(po::options_description& all)
{
    auto add = all.add_options();
    add("bus", po::value<std::string>(),
        "with --listen: pass calls on to the workers of --service over NATS, nats://HOST:PORT or tls://HOST:PORT, "
        "several separated by commas; with -- SERVER: be such a worker");
    add("service", po::value<std::string>(),
        "with --bus: the name of what the workers serve, of letters, digits, '_' and '-'");
    add("bus-credentials", po::value<std::string>(),
        "with --bus: a file of NATS credentials, which nobody else may read; a user and a password may stand in the "
        "address instead");
    add("at-once", po::value<std::int64_t>()->default_value(16),
        "with --bus and -- SERVER: take so many calls at once");
    add("drain-ms", po::value<std::int64_t>()->default_value(60000),
        "with --bus and -- SERVER: at the end, wait so long for calls that have begun; what is left then is killed");
}

std::optional<bus_settings> bus_of(const po::variables_map& given)
{
    if (!given.count("bus")) {
        refuse_without_bus(given);
        return std::nullopt;
    }
    if (!given.count("service"))
        throw std::invalid_argument("'--bus' needs '--service'");
    bus_settings all;
    all.service = service_of(given);
    all.network.name = "partyline-gateway " + all.service;
    all.network.servers = addresses_of(given["bus"].as<std::string>());
    all.network.credentials_file = command_line::text_of(given, "bus-credentials");
    if (!all.network.credentials_file.empty())
        command_line::check_credentials(all.network.credentials_file);
    read_tls(given, all.network);
    return all;
}

} // namespace gateway
