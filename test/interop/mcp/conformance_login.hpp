#pragma once

#include <partyline/http/token_source.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

/// The tokens for a server of the conformance suite, by the scenario and what the suite says of it in the environment;
/// null where the scenario is about no authorization.
std::shared_ptr<partyline::http::token_source> tokens_for(const boost::asio::any_io_executor& executor,
                                                          const std::string& server);

/// The same for a gateway, which then tells the pages of logins on standard error: its options, and the variables that
/// it is started with. Files that it needs are in a folder which is left behind for the system to remove.
struct gateway_login {
    std::vector<std::string> options;
    std::map<std::string, std::string> variables;
};
gateway_login login_by_gateway();

/// Does what a person does with the page of a login, whose server sends everybody back at once.
void visit_page(const boost::asio::any_io_executor& executor, std::string url);
