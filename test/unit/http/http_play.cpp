#include "http_play.hpp"

#include <exception>

namespace partyline::test {

http_play::http_play()
{
    options.session.log = [this](std::string_view line) { logged.emplace_back(line); };
}

http_play::~http_play()
{
    if (!server_)
        return;
    server_->stop();
    try {
        run_until([this] { return !port_ || ended.has_value(); });
    } catch (const std::exception&) { // the test has failed already, or fails for it
    }
    server_.reset();
    context.restart();
    context.poll();
}

http::server& http_play::served()
{
    if (!server_)
        server_.emplace(context.get_executor(), options);
    return *server_;
}

void http_play::start()
{
    port_ = served().listen_tcp("127.0.0.1", 0).port();
    served().async_run([this](error_code why) { ended = why; });
}

http_client http_play::connect()
{
    return {context, port_};
}

void http_play::run_until(const std::function<bool()>& done)
{
    test::run_until(context, done);
}

} // namespace partyline::test
