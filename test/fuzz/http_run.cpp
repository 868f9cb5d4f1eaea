#include "fuzz/http_run.hpp"

#include "fuzz/fuzz_input.hpp"
#include "http/serve/rpc_endpoint.hpp"

#include <partyline/session/session_options.hpp>

#include <cerrno>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace partyline::test {
namespace {

std::pair<unique_fd, unique_fd> connected_pair(bool small_buffers)
{
    int both[2];
    require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, both) == 0, "there are sockets");
    const int least = 1;
    for (const int one : both) {
        if (small_buffers)
            ::setsockopt(one, SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
    }
    return {unique_fd(both[0]), unique_fd(both[1])};
}

} // namespace

http_run::http_run(http::server_options options, std::shared_ptr<const dispatcher> methods, bool small_buffers)
{
    options.session.log = [](std::string_view) {};
    core_ = std::make_shared<http::http_service>(context_.get_executor(), std::move(options));
    core_->add("/rpc", std::make_shared<http::rpc_endpoint>(core_, [methods](session_options&) { return methods; }));
    std::pair<unique_fd, unique_fd> ends = connected_pair(small_buffers);
    client_ = std::move(ends.first);
    listener::socket stream(context_.get_executor());
    stream.assign({AF_UNIX, 0}, ::dup(ends.second.get()));
    connection_hooks hooks;
    hooks.on_end = [this](error_code) { ++ends_; };
    served_ = core_->serve({std::move(stream), {}}, std::move(hooks));
}

http_run::~http_run() = default;

void http_run::send(std::string_view bytes)
{
    unsent_.append(bytes);
    write();
}

void http_run::write()
{
    while (client_ && !unsent_.empty()) {
        const ssize_t count = ::send(client_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
        if (count < 0 && errno == EAGAIN)
            return;
        unsent_.erase(0, count < 0 ? unsent_.size() : static_cast<std::size_t>(count));
    }
    if (client_ && is_ending_)
        ::shutdown(client_.get(), SHUT_WR);
}

bool http_run::read()
{
    char room[4096];
    const ssize_t count = client_ ? ::recv(client_.get(), room, sizeof room, 0) : -1;
    if (count > 0)
        said_.append(room, static_cast<std::size_t>(count));
    require(count <= 0 || !is_at_end_, "nothing comes behind the end");
    is_at_end_ = is_at_end_ || count == 0;
    return count > 0;
}

void http_run::end_input()
{
    is_ending_ = true;
    write();
}

void http_run::drain()
{
    core_->begin_drain();
    served_->close_in_order();
}

void http_run::turn()
{
    write();
    context_.restart();
    context_.poll_one();
}

void http_run::settle()
{
    write();
    context_.restart();
    while (context_.poll() != 0) {
    }
}

void http_run::settle_reading()
{
    do {
        settle();
    } while (read() || (!unsent_.empty() && ends_ == 0 && !is_at_end_));
}

void http_run::finish()
{
    disconnect();
    settle();
    require(ends_ == 1, "the connection has come to its end once", said_);
    served_.reset();
    core_->on_over();
    settle();
    require(core_.use_count() == 1, "nobody holds the server any more");
    core_.reset();
    settle();
    require(context_.stopped(), "nothing is left that could happen");
}

} // namespace partyline::test
