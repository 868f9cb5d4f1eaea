#include "command_line/telemetry_options.hpp"

#include "command_line/arguments.hpp"
#include "command_line/observer.hpp"

#include <stdexcept>

namespace po = boost::program_options;

namespace command_line {
namespace {

// Where the option has no value.
constexpr const char* of_environment = "";

void refuse_without_telemetry(const po::variables_map& given)
{
    for (const char* name : {"metrics", "otlp", "message-log"}) {
        if (given.count(name) && !observer::is_built())
            throw std::invalid_argument("--" + std::string(name) +
                                        " is not there: this program was built without telemetry "
                                        "(PARTYLINE_BUILD_TELEMETRY)");
    }
}

} // namespace

void describe_telemetry(po::options_description& all)
{
    auto add = all.add_options();
    add("metrics", po::value<std::string>(),
        "serve metrics for Prometheus at http://HOST:PORT/metrics; PORT alone is on 127.0.0.1, port 0 one that the "
        "system chooses. Other addresses than loopback need --allow-any-address, where the program has that");
    add("otlp", po::value<std::string>()->implicit_value(of_environment),
        "export a span of each request to the collector at this URL, by OTLP over HTTP; without a URL: "
        "OTEL_EXPORTER_OTLP_ENDPOINT of the environment says it");
    add("message-log", po::value<std::string>(),
        "write a line of JSON about each request and notification to this file, - to standard error; never what is in "
        "its params or its result");
}

telemetry_options telemetry_options_of(const po::variables_map& given, const std::string& program)
{
    refuse_without_telemetry(given);
    telemetry_options result;
    if (given.count("metrics"))
        result.metrics = partyline::parse_tcp_address(given["metrics"].as<std::string>());
    if (given.count("allow-any-address"))
        result.may_listen = partyline::exposure::anywhere;
    if (given.count("allow-host"))
        result.allowed_hosts = given["allow-host"].as<std::vector<std::string>>();
    if (given.count("otlp"))
        result.otlp = read_otlp(given["otlp"].as<std::string>(), program, variable);
    result.message_log = text_of(given, "message-log");
    return result;
}

} // namespace command_line
