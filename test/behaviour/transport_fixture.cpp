#include "transport_fixture.hpp"

#include <boost/json/array.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace json = boost::json;

namespace partyline::test {
namespace {

constexpr std::chrono::seconds patience(30);

} // namespace

transport_fixture::transport_fixture(const transport& way) : over(way), server_(over.make(context, over.framing))
{
    options.framing = over.framing;
}

transport_fixture::~transport_fixture()
{
    let_go();
    BOOST_TEST(context.stopped(), "something is left to do");
}

void transport_fixture::let_go()
{
    client_.reset();
    seen->add("let go");
    server_->stop();
    context.restart();
    context.run_for(patience);
}

session& transport_fixture::client()
{
    if (!client_) {
        client_.emplace(server_->connect(std::make_shared<method_table>(make_methods(seen, [] {})), options));
        client_->async_run([this](error_code failed) { result_ = failed; });
    }
    return *client_;
}

void transport_fixture::run_until(const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        context.restart();
        if (context.run_one_until(deadline) != 0)
            continue;
        const bool is_idle = context.stopped();
        let_go(); // while there is what the handlers of a test that fails refer to
        BOOST_FAIL((is_idle ? "nothing is left to happen" : "what was waited for did not happen"));
    }
}

error_code transport_fixture::wait_end()
{
    run_until([this] { return has_ended(); });
    return *result_;
}

std::string transport_fixture::ask(std::string method, call_params params)
{
    outcome answer;
    client().call(std::move(method), std::move(params))(answer.handler());
    run_until([&] { return answer.is_there(); });
    return answer.text();
}

void transport_fixture::wait_for(std::string what, int times)
{
    BOOST_TEST(ask("happened", json::array{what, times}) == "result null");
}

} // namespace partyline::test
