#pragma once

#include <partyline/http/token_source.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <string>

/// The tokens for a server of the conformance suite, by the scenario and what the suite says of it in the environment;
/// null where the scenario is about no authorization.
std::shared_ptr<partyline::http::token_source> tokens_for(const boost::asio::any_io_executor& executor,
                                                          const std::string& server);

/// Does what a person does with the page of a login, whose server sends everybody back at once.
void visit_page(const boost::asio::any_io_executor& executor, std::string url);
