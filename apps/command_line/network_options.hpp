#pragma once

#include <partyline/http/client_options.hpp>
#include <partyline/tls/client_context.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <string>

namespace command_line {

/// Whether a word of a command line is the address of a server on the network: http, https, ws or wss.
bool is_url(const std::string& word);

/// What such an address begins with, in lower case; empty where a word does not begin so.
std::string scheme_of(const std::string& word);

/// The options of a program that calls servers on the network.
void describe_network(boost::program_options::options_description& all);

/// What they say for this address; a server is reached at none where it is empty, and then none of them may be given.
/// Throws `std::invalid_argument` with a text for the user.
partyline::http::client_options network_of(const boost::program_options::variables_map& given, const std::string& url);

/// Whom they trust, and who they are by a certificate. Throws `std::exception` with a text for the user.
partyline::tls::client_context context_of(const boost::program_options::variables_map& given);

/// What they say for a server that is reached by TLS without HTTP; those that are for HTTP may not be given then.
/// Throws `std::invalid_argument` with a text for the user.
partyline::tls::client_context tls_of(const boost::program_options::variables_map& given);

} // namespace command_line
