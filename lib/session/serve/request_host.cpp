#include "session/serve/request_host.hpp"

#include "session/serve/closable_executor.hpp"

#include <utility>

namespace partyline {

request_host::request_host(boost::asio::any_io_executor executor, session_options options)
    : context_(std::move(executor), std::move(options)),
      session_executor_(std::make_shared<closable_executor>(context_.executor))
{
}

request_host::~request_host() = default;

} // namespace partyline
