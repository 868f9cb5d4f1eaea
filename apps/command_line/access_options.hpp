#pragma once

#include <partyline/access/gate.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <memory>
#include <string>

namespace command_line {

/// The option of a program that asks who calls, and lets each call what its rights are: --access.
void describe_access(boost::program_options::options_description& all);

/// The access file that it names; null where it is not given. Throws `std::runtime_error` with a text for the user that
/// names file, place and reason.
std::shared_ptr<partyline::access::gate> access_of(const boost::program_options::variables_map& given);

/// Has the keys of the file's issuers fetched over the network, and what there is to say to it said on standard error.
void fetch_keys(partyline::access::gate& access, boost::asio::any_io_executor executor, const std::string& program);

/// Reads the file again, and says on standard error that it was, or why what was read before stays.
void reload_access(partyline::access::gate& access, const std::string& program);

/// What a server asks of whoever connects.
struct demands {
    bool authenticates = false;
    bool tls_alone = false;
};

/// Says on standard error what --allow-any-address has let through, if anything.
void tell_exposure(const std::string& program, const boost::asio::ip::tcp::endpoint& at, const demands& asked);

} // namespace command_line
