#pragma once

#include <partyline/transport/child_options.hpp>
#include <partyline/transport/tcp_address.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <optional>
#include <string>
#include <vector>

namespace call {

/// Whom to call: just one of the three.
struct destination {
    std::vector<std::string> command; // of a server that is started, in the way that `child` tells
    std::string unix_path;
    std::optional<partyline::tcp_address> tcp;

    partyline::child_options child;
};

/// The options that name a server, and those for one that is started.
void describe_destinations(boost::program_options::options_description& all);

/// What they say, with the words that follow `--`. Throws `std::invalid_argument` with a text for the user.
destination destination_of(const boost::program_options::variables_map& given, const std::vector<std::string>& command);

} // namespace call
