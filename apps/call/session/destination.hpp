#pragma once

#include "command_line/login_options.hpp"

#include <partyline/http/client_options.hpp>
#include <partyline/tls/client_context.hpp>
#include <partyline/transport/child_options.hpp>
#include <partyline/transport/tcp_address.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <optional>
#include <string>
#include <vector>

namespace call {

/// Whom to call: just one of the four.
struct destination {
    std::vector<std::string> command; // of a server that is started, in the way that `child` tells
    std::string unix_path;
    std::optional<partyline::tcp_address> tcp;
    std::optional<partyline::tls::client_context> tls; // where that is encrypted
    std::string url;                                   // http, https, ws or wss

    partyline::http::client_options network;          // how that is reached
    std::optional<command_line::login_options> login; // and where the tokens for it come from

    partyline::child_options child;
};

/// The options that name a server, and those for one that is started.
void describe_destinations(boost::program_options::options_description& all);

/// What they say, with the words that follow `--`, and the first one before, which may be an address and is taken away
/// then. Throws `std::invalid_argument` with a text for the user.
destination destination_of(const boost::program_options::variables_map& given, std::vector<std::string>& words,
                           const std::vector<std::string>& command);

} // namespace call
