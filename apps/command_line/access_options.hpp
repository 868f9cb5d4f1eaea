#pragma once

#include <partyline/access/gate.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <memory>
#include <string>

namespace command_line {

/// Describes --access, by which a program authenticates its clients and authorizes their calls.
void describe_access(boost::program_options::options_description& all);

/// The access file that it names; null where it is not given. Throws `std::runtime_error` with a text for the user that
/// names file, place and reason.
std::shared_ptr<partyline::access::gate> access_of(const boost::program_options::variables_map& given);

/// Has the keys of the file's issuers fetched over the network, by `executor`. The log of the gate goes to standard
/// error from here on; each line begins with the name of the program.
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
