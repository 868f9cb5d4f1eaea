#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace command_line {

/// Where spans are exported to, and what they say of the program.
struct otlp_settings {
    std::string url;
    std::vector<std::pair<std::string, std::string>> fields;   // of each request
    std::vector<std::pair<std::string, std::string>> resource; // attributes
};

/// Returns the value of a variable of the environment; none where it is not set.
using environment = std::function<std::optional<std::string>(const char* name)>;
/// That of this process.
std::optional<std::string> variable(const char* name);

/// Reads what `--otlp` says: the address of a collector, to which "/v1/traces" is added where it has no path; an empty
/// one stands for what the environment says (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, else OTEL_EXPORTER_OTLP_ENDPOINT with
/// that path added). OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES count in any case. None
/// where OTEL_SDK_DISABLED is "true". The service has the name of the program unless another one is said. Throws
/// `std::invalid_argument` with a text for the user, which shows no header.
std::optional<otlp_settings> read_otlp(const std::string& address, const std::string& program, const environment& from);

} // namespace command_line
