#include "driven_server.hpp"

#include "support/child_process.hpp"

#include <partyline/http/mcp_client.hpp>
#include <partyline/tls/client_context.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

mcp::client_options options_for(const std::string& mode)
{
    mcp::client_options options;
    if (mode == "legacy")
        options.era = mcp::wanted_era::legacy;
    else if (mode == "2026-07-28")
        options.era = mcp::wanted_era::modern;
    options.session.close_timeout = patience;
    return options;
}

std::unique_ptr<driven_server>& shared_server()
{
    static std::unique_ptr<driven_server> only;
    return only;
}

partyline::child_process start_server(const asio::any_io_executor& where, const std::vector<std::string>& command)
{
    child_options patient;
    patient.exit_wait = patience;
    return {where, command, patient};
}

// What a user's model would say.
mcp::sampling_answer say(const mcp::sample_request& asked)
{
    mcp::sampling_answer said;
    said.model = "sampler";
    said.content = {{"type", "text"}, {"text", "<" + asked.text() + ">"}};
    return said;
}

struct ending_of_the_shared_server {
    ~ending_of_the_shared_server() { driven_server::end_shared(); }
};
BOOST_TEST_GLOBAL_FIXTURE(ending_of_the_shared_server);

} // namespace

driven_command driven_command::given()
{
    const auto& suite = boost::unit_test::framework::master_test_suite();
    const std::vector<std::string> words(suite.argv + 1, suite.argv + suite.argc);
    if (words.size() < 3)
        throw std::invalid_argument("usage: mcp_servers OPTIONS -- NAME legacy|auto|2026-07-28 COMMAND...|URL");
    return {words[0], words[1], {words.begin() + 2, words.end()}};
}

mcp::client_options driven_command::options() const
{
    return options_for(mode);
}

driven_server::driven_server()
{
    const driven_command how = driven_command::given();
    open(how.command, how.options());
    set_handlers();
    run(client_->start());
    facts = facts_of(how.server, client_->era());
    // The legacy revision is the one that it knows, too, where it is found by asking first.
    const bool is_modern = how.mode != "legacy" && facts.newest == mcp::newest_modern;
    BOOST_TEST(to_string(client_->revision()) == to_string(is_modern ? mcp::newest_modern : mcp::newest_legacy));
}

void driven_server::open(const std::vector<std::string>& command, mcp::client_options options)
{
    if (command.front().starts_with("http")) {
        http::client_options network;
        network.tls = tls::client_context().connector();
        client_.emplace(http::mcp_client(context.get_executor(), command.front(), std::move(network)),
                        std::move(options));
        return;
    }
    partyline::child_process server = start_server(context.get_executor(), command);
    process_ = server.report();
    client_.emplace(std::move(server), std::move(options));
}

void driven_server::set_handlers()
{
    client_->on_elicit([this](const mcp::elicit_request& question) {
        asked.push_back(question);
        return answer;
    });
    client_->on_sample(&say);
    client_->set_roots({{"file:///srv/party", "party"}});
    client_->on_log([this](const mcp::log_entry& entry) { logged.push_back(entry); });
    client_->on_tools_changed([this] { ++changes; });
    client_->on_resource_updated([this](const std::string& uri) { updated.push_back(uri); });
}

driven_server& driven_server::shared()
{
    std::unique_ptr<driven_server>& only = shared_server();
    if (!only)
        only = std::make_unique<driven_server>();
    return *only;
}

void driven_server::end_shared()
{
    shared_server().reset();
}

void driven_server::run_until(const std::function<bool()>& done)
{
    BOOST_REQUIRE_MESSAGE(happens(done, patience), "what was waited for did not happen");
}

bool driven_server::is_soon(const std::function<bool()>& done)
{
    return happens(done, 50ms);
}

bool driven_server::happens(const std::function<bool()>& done, std::chrono::milliseconds within)
{
    const auto deadline = std::chrono::steady_clock::now() + within;
    while (!done()) {
        context.restart();
        if (context.poll_one() == 0 && context.run_one_until(deadline) == 0)
            return done();
    }
    return true;
}

void driven_server::repeat_until(const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done())
        BOOST_REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, "what was asked for did not come");
}

mcp::tool_answer driven_server::call(const tool_use& use)
{
    mcp::tool_answer answered = run(client_->call_tool(use.tool, use.arguments));
    if (use.is_toggle)
        run(client_->call_tool(use.tool, use.arguments));
    return answered;
}

} // namespace partyline::test
