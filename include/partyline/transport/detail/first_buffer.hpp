#pragma once

#include <boost/asio/buffer.hpp>

namespace partyline::detail {

/// The first buffer of a sequence that is not empty: all that `async_read_some` and `async_write_some` have to use.
template <class Buffer, class Buffers>
Buffer first_buffer(const Buffers& buffers)
{
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto it = boost::asio::buffer_sequence_begin(buffers); it != end; ++it) {
        const Buffer candidate(*it);
        if (candidate.size() != 0)
            return candidate;
    }
    return Buffer();
}

} // namespace partyline::detail
