#pragma once

#include "http/wire/response_reader.hpp"
#include "http/wire/url.hpp"

#include <partyline/transport/detail/secure_layer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace partyline::http {

/// Makes what encrypts a connection to a host, which `partyline::tls` brings: `descriptor` is a connected socket that does not
/// block and outlives the layer, `host` the name or the address that the certificate is to have.
using secure_connector =
    std::function<std::unique_ptr<partyline::detail::secure_layer>(int descriptor, const std::string& host)>;

struct client_options {
    std::size_t connections = 8;                    // to one server at once
    std::chrono::milliseconds idle_time{15'000};    // that a connection is kept for the next request
    std::chrono::milliseconds connect_time{10'000}; // with the proxy's answer and the handshake
    std::optional<url> proxy = {};                  // http://HOST:PORT; the environment is not asked
    secure_connector secure = {};                   // without one there is no https
    response_limits head = {};
};

} // namespace partyline::http
