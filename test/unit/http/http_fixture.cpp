#include "http_fixture.hpp"

#include <exception>

namespace partyline::test {

http_fixture::http_fixture()
{
    options.session.log = [this](std::string_view line) { logged.emplace_back(line); };
}

http_fixture::~http_fixture()
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

http::server& http_fixture::served()
{
    if (!server_)
        server_.emplace(context.get_executor(), options);
    return *server_;
}

void http_fixture::start()
{
    port_ = served().listen_tcp("127.0.0.1", 0).port();
    served().async_run([this](error_code why) { ended = why; });
}

http_client http_fixture::connect()
{
    return {context, port_};
}

void http_fixture::run_until(const std::function<bool()>& done)
{
    test::run_until(context, done);
}

} // namespace partyline::test
