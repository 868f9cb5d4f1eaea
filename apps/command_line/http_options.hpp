#pragma once

#include "command_line/service_manager.hpp"

#include <partyline/access/gate.hpp>
#include <partyline/http/server_options.hpp>
#include <partyline/tls/server_context.hpp>
#include <partyline/transport/tcp_address.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace command_line {

/// What is spoken on the sockets that systemd has opened: they are not listened on, HTTP alone, or whatever the program
/// speaks.
enum class inherited_use { none, http, all_protocols };

/// Where a program serves HTTP, and to whom.
struct http_options {
    std::vector<partyline::tcp_address> addresses;     // HTTP alone
    std::vector<partyline::tcp_address> all_protocols; // whatever the program speaks, by the first bytes
    std::vector<std::string> unix_paths;
    ::mode_t unix_mode = 0600;
    inherited_use inherited = inherited_use::none;
    bool wants_tls_alone = false; // where all is spoken
    bool has_proxy = false;       // which says where clients come from
    partyline::http::server_options server;
    std::optional<partyline::tls::server_context> tls; // where there are certificates
    std::shared_ptr<partyline::access::gate> access;   // who may call what; null: all may call all

    std::shared_ptr<service_manager> manager; // has started the program, maybe

    bool is_wanted() const noexcept
    {
        return !addresses.empty() || !all_protocols.empty() || !unix_paths.empty() || inherited != inherited_use::none;
    }
};

/// The options of a program that serves HTTP, and whatever else it speaks.
void describe_http(boost::program_options::options_description& all);

/// `--node`, of one that has MCP sessions.
void describe_node(boost::program_options::options_description& all);

/// The option of a program that can serve by several threads.
void describe_threads(boost::program_options::options_description& all);

/// What they say. Throws `std::invalid_argument` with a text for the user.
http_options http_options_of(const boost::program_options::variables_map& given);

} // namespace command_line
