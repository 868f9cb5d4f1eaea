#pragma once

#include "http/wire/body_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// What became of bytes that were read as a body.
struct body_outcome {
    http::body_reader::state how = http::body_reader::state::more;
    int status = 0; // of one that is refused
    std::string body;
    std::size_t used = 0;

    bool operator==(const body_outcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const body_outcome& of);

inline body_outcome done_body(const std::string& body, std::size_t used)
{
    return {http::body_reader::state::done, 0, body, used};
}
inline body_outcome refused_body(int status, const std::string& body, std::size_t used)
{
    return {http::body_reader::state::refused, status, body, used};
}

http::request_head head_of(http::body_kind kind, std::uint64_t length = 0);

/// Reads a body that comes in these pieces, each in memory of just its size.
body_outcome read_body(http::body_reader& reader, const http::request_head& head,
                       const std::vector<std::string_view>& pieces);
/// Reads it whole, in two pieces cut everywhere, and byte by byte: all must come to the same.
body_outcome read_body_cut(const http::request_head& head, std::string_view bytes,
                           std::size_t most = std::size_t(1) << 20);
inline body_outcome read_chunks(std::string_view chunks, std::size_t most = std::size_t(1) << 20)
{
    return read_body_cut(head_of(http::body_kind::chunked), chunks, most);
}

} // namespace partyline::test
