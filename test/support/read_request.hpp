#pragma once

#include "http/wire/body_reader.hpp"
#include "http/wire/head_reader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// What becomes of bytes that are read as a request.
struct read_request {
    enum class read_state { more, done, refused };
    read_state how = read_state::more;
    int status = 0;            // of one that is refused
    bool stays_refused = true; // whatever comes behind it
    std::string method;        // of one that is done, as are the others
    std::string target;
    std::string host;
    std::string body;
    std::size_t used = 0;
    bool keeps_alive = true;

    bool operator==(const read_request&) const = default;
};

/// Reads bytes that come in these pieces. They stand at another place each time.
read_request read_in_pieces(const std::vector<std::string_view>& pieces, http::head_limits most = {},
                            std::size_t most_body = std::size_t(1) << 20);

} // namespace partyline::test
