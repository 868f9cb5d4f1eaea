#pragma once

#include "http/connections/client_request.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace partyline::http {

class client_driver;

/// Whether this status of an answer says that the server does not know the session of the request, whose fields these
/// are: 404 does. Some servers refuse such a request by 400, as they do other faults; then they refuse a ping, too.
boost::asio::awaitable<bool> tells_of_lost_session(client_driver& by, int status, std::vector<field_text> fields);

} // namespace partyline::http
