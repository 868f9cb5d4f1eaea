#pragma once

#include <partyline/fleet/bus.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <optional>
#include <string>

namespace gateway {

/// The bus that a gateway passes calls on to, or takes them from.
struct bus_settings {
    partyline::fleet::bus_options network;
    std::string service;
};

/// The options of a gateway on a bus. What TLS needs are those of `command_line::describe_network`.
void describe_bus(boost::program_options::options_description& all);

/// Throws `std::invalid_argument` where one of those that are for workers is given.
void refuse_of_workers(const boost::program_options::variables_map& given);

/// What they say; nothing without `--bus`. Throws `std::invalid_argument` with a text for the user.
std::optional<bus_settings> bus_of(const boost::program_options::variables_map& given);

} // namespace gateway
