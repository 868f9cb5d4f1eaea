#pragma once

#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <utility>

namespace partyline::test {

/// A stream that brings one to seven bytes at a time, and otherwise does what `Stream` does.
template <class Stream>
class short_reads : public Stream {
public:
    explicit short_reads(Stream whole) : Stream(std::move(whole)) {}

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        const boost::asio::mutable_buffer first = *boost::asio::buffer_sequence_begin(buffers);
        most_ = most_ % 7 + 1;
        return Stream::async_read_some(boost::asio::buffer(first, most_), std::forward<Token>(token));
    }

private:
    std::size_t most_ = 0;
};

} // namespace partyline::test
