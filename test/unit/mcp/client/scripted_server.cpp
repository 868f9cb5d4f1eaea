#include "scripted_server.hpp"

#include <boost/test/unit_test.hpp>

namespace partyline::test {

scripted_server::scripted_server() : scripted_peer(context)
{
    options.info = {.name = "tester", .version = "0"};
    options.session.log = [this](std::string_view line) { logged.emplace_back(line); };
}

scripted_server::~scripted_server()
{
    client_.reset();
    hang_up();
}

mcp::client& scripted_server::client()
{
    if (!client_)
        client_.emplace(connect(), options);
    return *client_;
}

void scripted_server::start_modern(std::string_view capabilities)
{
    begun<void> started;
    client().start()(started.token());
    greet_modern(capabilities);
    wait(started);
    BOOST_REQUIRE(!started.failed());
}

void scripted_server::start_legacy(std::string_view capabilities, std::string_view revision)
{
    begun<void> started;
    client().start()(started.token());
    greet_legacy(capabilities, revision);
    wait(started);
    BOOST_REQUIRE(!started.failed());
}

} // namespace partyline::test
