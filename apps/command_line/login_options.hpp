#pragma once

#include <partyline/http/client_options.hpp>
#include <partyline/http/oauth_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace command_line {

/// How a program gets its tokens.
struct login_options {
    /// A person logs in; else the program gets tokens for itself.
    bool is_by_person = false;
    /// Where the tokens of persons are kept between runs.
    std::string folder = {};
    partyline::http::oauth_options how = {};
};

/// The options of a program that logs in at the server that it calls.
void describe_login(boost::program_options::options_description& all);

/// The login for a server at this address, which is reached as `network_of` says; nothing where there is none. Reads
/// the files that the options name. Throws `std::exception` with a text for the user.
std::optional<login_options> login_of(const boost::program_options::variables_map& given, const std::string& url,
                                      const partyline::http::client_options& network);

/// The tokens for the server at this address. `tell` gets a line for the person who is to log in.
///
/// Lifetime         the context of the executor, which is a strand or serial, outlives them
std::shared_ptr<partyline::http::token_source> start_login(const boost::asio::any_io_executor& executor,
                                                           const std::string& url, const login_options& wanted,
                                                           std::function<void(std::string_view line)> tell);

} // namespace command_line
