#pragma once

#include "support/fault_plan.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <memory>
#include <utility>

namespace partyline::test {

/// What the parts of a faulty stream share: the stream inside, its plan, and how it died.
template <class Inner>
struct faulty_state {
    Inner inner;
    std::shared_ptr<fault_plan> plan;
    fault postponed;
    bool is_closed = false;
    bool is_dead = false;
    error_code read_end = {};
    error_code write_end = {};

    faulty_state(Inner i, std::shared_ptr<fault_plan> p) : inner(std::move(i)), plan(std::move(p)) {}

    void close()
    {
        is_closed = true;
        shut();
    }

    void shut()
    {
        if constexpr (requires(error_code& failed) { inner.close(failed); }) {
            error_code ignored;
            inner.close(ignored);
        } else {
            inner.close();
        }
        plan->release();
    }

    void die(error_code reads, error_code writes)
    {
        is_dead = true;
        read_end = reads;
        write_end = writes;
        shut();
    }

    // The error that an operation ends with before it has begun; none when it may begin.
    error_code refuse(const fault& with, bool is_read)
    {
        if (with.what == fault::kind::fail)
            return with.error;
        if (with.what == fault::kind::lose)
            die(with.error, with.error);
        if (with.what == fault::kind::truncate && with.bytes == 0)
            die(boost::asio::error::eof, boost::asio::error::broken_pipe);
        if (!is_dead || is_closed)
            return {};
        return is_read ? read_end : write_end;
    }

    // What an operation that has been begun ended with: that the stream died meanwhile has a name of its own.
    error_code outcome(error_code failed, bool is_read) const
    {
        if (failed && is_dead && !is_closed)
            return is_read ? read_end : write_end;
        return failed;
    }
};

/// As much of a buffer as an operation may move.
template <class Buffer>
Buffer limited(Buffer buffer, const fault& with)
{
    if (with.is_short())
        return boost::asio::buffer(buffer, 1);
    if (with.what == fault::kind::truncate)
        return boost::asio::buffer(buffer, with.bytes);
    return buffer;
}

} // namespace partyline::test
