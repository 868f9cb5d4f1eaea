#pragma once

#include "http/wire/body_reader.hpp"
#include "http/wire/response_reader.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// What becomes of bytes that are read as a response.
struct read_response {
    enum class read_state { more, done, refused };
    read_state how = read_state::more;
    bool stays_refused = true; // whatever comes behind it
    int status = 0;            // of one that is done, as are the others
    std::string reason;
    std::string body;
    std::size_t used = 0;    // of the bytes, interim responses included
    std::size_t interim = 0; // how many there were
    bool keeps_alive = true;
    bool is_to_end = false;

    bool operator==(const read_response&) const = default;
};

struct response_reading {
    http::response_to what = http::response_to::any;
    http::response_limits most = {};
    std::size_t most_body = std::size_t(1) << 20;
};

/// Reads bytes that come in these pieces, and then the connection ends. They stand at another place each time.
read_response read_response_in_pieces(const std::vector<std::string_view>& pieces, const response_reading& how = {});
/// Reads them whole, in two pieces cut everywhere, and byte by byte; throws where these come to different ends.
read_response read_response_cut(std::string_view bytes, const response_reading& how = {});

} // namespace partyline::test
