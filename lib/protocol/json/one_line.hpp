#pragma once

#include "protocol/json/plain_bytes.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <cstring>
#include <string_view>

namespace partyline {

/// Valid JSON has line breaks only between its tokens. A framing by lines must not see them: they become spaces.
/// Returns the end.
inline char* put_on_one_line(char* to, std::string_view text)
{
    std::memcpy(to, text.data(), text.size());
    char* const end = to + text.size();
    for (char* p = skip_to_break(to, end); p != end; p = skip_to_break(p, end))
        *p++ = ' ';
    return end;
}

inline void append_on_one_line(byte_buffer& out, std::string_view text)
{
    put_on_one_line(out.prepare(text.size()), text);
    out.commit(text.size());
}

} // namespace partyline
