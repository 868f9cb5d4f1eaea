#include "scripted_peer.hpp"

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

void run_until(asio::io_context& context, const std::function<bool()>& done)
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

void settle(asio::io_context& context)
{
    context.restart();
    while (context.poll() != 0) {
    }
}

scripted_peer::~scripted_peer()
{
    hang_up();
}

void scripted_peer::hang_up()
{
    own_.reset();
    settle();
}

memory_stream scripted_peer::connect()
{
    auto [ours, theirs] = memory_stream::make_pair(context_.get_executor());
    own_.emplace(std::move(ours));
    read();
    return std::move(theirs);
}

void scripted_peer::read()
{
    own_->async_read_some(asio::buffer(chunk_), [this](error_code failed, std::size_t count) {
        unread_.append(chunk_.data(), count);
        for (std::size_t end; (end = unread_.find('\n')) != std::string::npos; unread_.erase(0, end + 1))
            lines_.push_back(unread_.substr(0, end));
        if (failed)
            is_closed_ = true;
        else if (own_)
            read();
    });
}

void scripted_peer::write()
{
    if (!sending_.empty() || unsent_.empty() || !own_)
        return;
    sending_.swap(unsent_);
    asio::async_write(*own_, asio::buffer(sending_), [this](error_code, std::size_t) {
        sending_.clear();
        write();
    });
}

void scripted_peer::send(std::string_view line)
{
    prepare();
    std::string text(line);
    std::replace(text.begin(), text.end(), '\n', ' '); // some take several lines here
    unsent_ += text + '\n';
    write();
}

void scripted_peer::reply(std::string_view id, std::string_view result)
{
    send(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":)" + std::string(result) + "}");
}

void scripted_peer::refuse(std::string_view id, std::string_view error)
{
    send(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":)" + std::string(error) + "}");
}

void scripted_peer::tell(std::string_view method, std::string_view params)
{
    send(R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":)" + std::string(params) + "}");
}

void scripted_peer::expect_cancel(std::string_view id)
{
    const json::object said = json::parse(receive()).as_object();
    BOOST_TEST(said.at("method") == json::value("notifications/cancelled"));
    BOOST_TEST(json::serialize(said.at("params").at("requestId")) == id);
}

void scripted_peer::end()
{
    own_->close();
}

std::string scripted_peer::receive()
{
    prepare();
    run_until([this] { return !lines_.empty() || is_closed_; });
    if (lines_.empty()) {
        BOOST_FAIL("the client has closed the connection");
        return {};
    }
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void scripted_peer::expect(std::string_view line)
{
    BOOST_TEST(receive() == line);
}

std::string scripted_peer::expect_request(std::string_view method, std::string_view params)
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

void scripted_peer::expect_silence()
{
    settle();
    BOOST_TEST(lines_.empty());
    for (const std::string& line : lines_)
        BOOST_TEST_MESSAGE("said: " + line);
    lines_.clear();
}

void scripted_peer::check_failure(error_code failed, std::string_view found, error_code how, std::string_view details)
{
    BOOST_TEST(failed == how, "it fails with " << failed.message() << ", not with " << how.message());
    if (!details.empty())
        BOOST_TEST(found == details);
}

std::string discovered(std::string_view capabilities, std::string_view versions)
{
    return R"({"resultType":"complete","supportedVersions":)" + std::string(versions) + R"(,"capabilities":)" +
           std::string(capabilities) +
           R"(,"instructions":"Be kind.","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":)"
           R"({"name":"played","version":"1"}}})";
}

void scripted_peer::greet_modern(std::string_view capabilities)
{
    reply(expect_request("server/discover", "{}"), discovered(capabilities));
}

void scripted_peer::greet_legacy(std::string_view capabilities, std::string_view revision)
{
    refuse(expect_request("server/discover", "{}"), R"({"code":-32601,"message":"Method not found"})");
    const json::object said = json::parse(receive()).as_object();
    BOOST_TEST(said.at("method") == json::value("initialize"));
    reply(json::serialize(said.at("id")), R"({"protocolVersion":")" + std::string(revision) + R"(","capabilities":)" +
                                              std::string(capabilities) +
                                              R"(,"serverInfo":{"name":"played","version":"1"}})");
    expect_request("notifications/initialized", "{}");
}

} // namespace partyline::test
