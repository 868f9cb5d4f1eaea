#pragma once

#include "connect_rule.hpp"
#include "http/connections/client_request.hpp"
#include "http/wire/response_reader.hpp"
#include "http/wire/url.hpp"

#include <partyline/http/token_source.hpp>
#include <partyline/transport/detail/secure_layer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::http {

struct connection_options {
    std::size_t connections = 8;                     // to one server at once
    std::chrono::milliseconds idle_time{15'000};     // that a connection is kept for the next request
    std::chrono::milliseconds connect_time{10'000};  // with the proxy's answer and the handshake
    std::optional<url> proxy = {};                   // http://HOST:PORT; the environment is not asked
    address_rule addresses = {};                     // that may be connected to; with a proxy, those of the proxy
    partyline::detail::secure_connector secure = {}; // without one there is no https
    response_limits head = {};
    std::vector<field_text> fields = {};       // that each request has besides
    std::shared_ptr<token_source> tokens = {}; // of the requests of sessions; null: they have none
};

} // namespace partyline::http
