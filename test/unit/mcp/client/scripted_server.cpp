#include "scripted_server.hpp"

#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {

scripted_server::scripted_server()
{
    options.info = {.name = "tester", .version = "0"};
    options.session.log = [this](std::string_view line) { logged.emplace_back(line); };
}

scripted_server::~scripted_server()
{
    client_.reset();
    own_.reset();
    settle();
}

mcp::client& scripted_server::client()
{
    if (!client_) {
        auto [ours, theirs] = memory_stream::make_pair(context.get_executor());
        own_.emplace(std::move(ours));
        client_.emplace(std::move(theirs), options);
        read();
    }
    return *client_;
}

void scripted_server::read()
{
    own_->async_read_some(asio::buffer(chunk_), [this](error_code failed, std::size_t count) {
        unread_.append(chunk_.data(), count);
        for (std::size_t end; (end = unread_.find('\n')) != std::string::npos; unread_.erase(0, end + 1))
            lines_.push_back(unread_.substr(0, end));
        if (failed)
            is_closed_ = true;
        else
            read();
    });
}

void scripted_server::write()
{
    if (!sending_.empty() || unsent_.empty() || !own_)
        return;
    sending_.swap(unsent_);
    asio::async_write(*own_, asio::buffer(sending_), [this](error_code, std::size_t) {
        sending_.clear();
        write();
    });
}

void scripted_server::send(std::string_view line)
{
    client();
    std::string text(line);
    std::replace(text.begin(), text.end(), '\n', ' '); // some take several lines here
    unsent_ += text + '\n';
    write();
}

void scripted_server::reply(std::string_view id, std::string_view result)
{
    send(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":)" + std::string(result) + "}");
}

void scripted_server::refuse(std::string_view id, std::string_view error)
{
    send(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":)" + std::string(error) + "}");
}

void scripted_server::tell(std::string_view method, std::string_view params)
{
    send(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":)" + std::string(params) + "}");
}

void scripted_server::expect_cancel(std::string_view id)
{
    const json::object said = json::parse(receive()).as_object();
    BOOST_TEST(said.at("method") == json::value("notifications/cancelled"));
    BOOST_TEST(json::serialize(said.at("params").at("requestId")) == id);
}

void scripted_server::end()
{
    own_->close();
}

std::string scripted_server::receive()
{
    client();
    run_until([this] { return !lines_.empty() || is_closed_; });
    if (lines_.empty()) {
        BOOST_FAIL("the client has closed the connection");
        return {};
    }
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void scripted_server::expect(std::string_view line)
{
    BOOST_TEST(receive() == line);
}

std::string scripted_server::expect_request(std::string_view method, std::string_view params)
{
    json::object said = json::parse(receive()).as_object();
    BOOST_TEST(said["method"] == json::value(json::string(method)));
    json::object given;
    if (const json::value* const found = said.if_contains("params"))
        given = found->as_object();
    last_meta_ = given.contains("_meta") ? given["_meta"].as_object() : json::object();
    given.erase("_meta");
    BOOST_TEST(json::value(given) == json::parse(json::string_view(params.data(), params.size())));
    return said.contains("id") ? json::serialize(said["id"]) : std::string();
}

void scripted_server::expect_silence()
{
    settle();
    BOOST_TEST(lines_.empty());
    for (const std::string& line : lines_)
        BOOST_TEST_MESSAGE("said: " + line);
    lines_.clear();
}

void scripted_server::check_failure(error_code failed, std::string_view found, error_code how, std::string_view details)
{
    BOOST_TEST(failed == how, "it fails with " << failed.message() << ", not with " << how.message());
    if (!details.empty())
        BOOST_TEST(found == details);
}

void scripted_server::run_until(const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done()) {
        context.restart();
        if (context.poll_one() == 0 && context.run_one_until(deadline) == 0) {
            BOOST_REQUIRE_MESSAGE(done(), "what was waited for did not happen");
            return;
        }
    }
}

void scripted_server::settle()
{
    context.restart();
    while (context.poll() != 0) {
    }
}

std::string discovered(std::string_view capabilities, std::string_view versions)
{
    return R"({"resultType":"complete","supportedVersions":)" + std::string(versions) + R"(,"capabilities":)" +
           std::string(capabilities) +
           R"(,"instructions":"Be kind.","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":)"
           R"({"name":"played","version":"1"}}})";
}

void scripted_server::start_modern(std::string_view capabilities)
{
    begun<void> started;
    client().start()(started.token());
    reply(expect_request("server/discover", "{}"), discovered(capabilities));
    wait(started);
    BOOST_REQUIRE(!started.failed());
}

void scripted_server::start_legacy(std::string_view capabilities, std::string_view revision)
{
    begun<void> started;
    client().start()(started.token());
    refuse(expect_request("server/discover", "{}"), R"({"code":-32601,"message":"Method not found"})");
    const json::object said = json::parse(receive()).as_object();
    BOOST_TEST(said.at("method") == json::value("initialize"));
    reply(json::serialize(said.at("id")), R"({"protocolVersion":")" + std::string(revision) + R"(","capabilities":)" +
                                              std::string(capabilities) +
                                              R"(,"serverInfo":{"name":"played","version":"1"}})");
    wait(started);
    BOOST_REQUIRE(!started.failed());
    expect_request("notifications/initialized", "{}");
}

} // namespace partyline::test
