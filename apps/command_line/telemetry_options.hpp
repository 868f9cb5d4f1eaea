#pragma once

#include "command_line/otlp_settings.hpp"

#include <partyline/exposure.hpp>
#include <partyline/transport/tcp_address.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <optional>
#include <string>
#include <vector>

namespace command_line {

/// What a program tells of what it serves.
struct telemetry_options {
    std::optional<partyline::tcp_address> metrics; // where they are served
    partyline::exposure may_listen = partyline::exposure::loopback;
    std::vector<std::string> allowed_hosts; // under which they may be asked for
    std::optional<otlp_settings> otlp;
    std::string message_log; // a file, "-" for standard error; empty: none

    bool is_wanted() const noexcept { return metrics || otlp || !message_log.empty(); }
};

/// Describes --metrics, --otlp and --message-log.
void describe_telemetry(boost::program_options::options_description& all);

/// What they say. Throws `std::invalid_argument` with a text for the user, also where this program was built without
/// them.
telemetry_options telemetry_options_of(const boost::program_options::variables_map& given, const std::string& program);

} // namespace command_line
