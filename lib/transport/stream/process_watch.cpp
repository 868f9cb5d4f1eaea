#include "transport/stream/process_watch.hpp"

#include "transport/errno_code.hpp"
#include "transport/platform/descriptors.hpp"

#include <utility>

namespace partyline {

error_code process_watch::start(int id, std::function<void()> ended)
{
    owned_descriptor descriptor = open_process_end(id);
    if (!descriptor)
        return errno_code();
    end_.assign(descriptor.get());
    descriptor.release();
    end_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [ended = std::move(ended)](error_code failed) {
        if (!failed)
            ended();
    });
    return {};
}

} // namespace partyline
