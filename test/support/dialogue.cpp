#include "support/dialogue.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {

asio::awaitable<void> gate::wait()
{
    ++arrivals;
    if (is_open_)
        co_return;
    try {
        co_await timer_.async_wait(asio::use_awaitable);
    } catch (const boost::system::system_error&) {
        if (!is_open_)
            throw; // cancelled, not opened
    }
}

void gate::open()
{
    is_open_ = true;
    timer_.cancel();
}

dialogue::dialogue(connection::kind what) : connection_(connection::make(what, context))
{
    options.log = [this](std::string_view line) { logged.emplace_back(line); };
}

dialogue::~dialogue()
{
    session_.reset();
    settle();
}

void dialogue::start()
{
    if (std::exchange(has_started_, true))
        return;
    std::shared_ptr<const dispatcher> shared = std::move(other_methods);
    if (!shared)
        shared = std::make_shared<const method_table>(std::move(methods));
    used_methods_ = shared;
    session_.emplace(connection_->make_session(shared, options, faults));
    session_->async_run([this](error_code failed) { result_ = failed; });
    read();
}

session& dialogue::server()
{
    start();
    return *session_;
}

void dialogue::send(std::string_view line)
{
    start();
    unsent_.append(line).append("\n");
    write();
}

void dialogue::end_input()
{
    start();
    is_ending_ = true;
    write();
}

void dialogue::write()
{
    if (!sending_.empty() || is_unheard_)
        return;
    if (unsent_.empty()) {
        if (is_ending_)
            connection_->close_send();
        return;
    }
    sending_.swap(unsent_);
    connection_->write(asio::buffer(sending_), [this](error_code failed) {
        sending_.clear();
        is_unheard_ = bool(failed);
        write();
    });
}

void dialogue::resume_reading()
{
    is_reading_wanted_ = true;
    if (!is_reading_)
        read();
}

void dialogue::read()
{
    is_reading_ = true;
    connection_->read(asio::buffer(chunk_), [this](error_code failed, std::size_t count) {
        unread_.append(chunk_.data(), count);
        for (std::size_t end; (end = unread_.find('\n')) != std::string::npos; unread_.erase(0, end + 1)) {
            lines_.push_back(unread_.substr(0, end));
            heard_.push_back(lines_.back());
        }
        is_reading_ = false;
        if (failed)
            is_closed_ = true;
        else if (is_reading_wanted_)
            read();
    });
}

void dialogue::run_until(const std::function<bool()>& done)
{
    if (try_run_until(done))
        return;
    if (context.stopped())
        BOOST_FAIL("nothing is left to happen");
    else
        BOOST_FAIL("what was waited for did not happen");
}

bool dialogue::try_run_until(const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done()) {
        context.restart();
        if (context.poll_one() != 0)
            continue;
        if (faults && faults->is_holding())
            faults->release();
        else if (context.run_one_until(deadline) == 0)
            return done();
    }
    return true;
}

void dialogue::settle()
{
    context.restart();
    while (context.poll() != 0) {
    }
}

std::string dialogue::receive()
{
    start();
    run_until([this] { return !lines_.empty() || is_closed_; });
    if (lines_.empty()) {
        BOOST_FAIL("the session has closed the connection");
        return {};
    }
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void dialogue::expect(std::string_view line)
{
    BOOST_TEST(receive() == line);
}

void dialogue::expect_in_any_order(std::vector<std::string> lines)
{
    std::vector<std::string> got;
    for (std::size_t i = 0; i < lines.size(); ++i)
        got.push_back(receive());
    std::sort(lines.begin(), lines.end());
    std::sort(got.begin(), got.end());
    BOOST_TEST(got == lines, boost::test_tools::per_element());
}

std::vector<std::string> dialogue::take_lines()
{
    std::vector<std::string> all(lines_.begin(), lines_.end());
    lines_.clear();
    return all;
}

void dialogue::expect_silence()
{
    start();
    settle();
    BOOST_TEST(lines_.empty());
    for (const std::string& line : lines_)
        BOOST_TEST_MESSAGE("said: " + line);
    lines_.clear();
}

error_code dialogue::wait_end()
{
    start();
    run_until([this] { return has_ended(); });
    settle();
    return *result_;
}

std::string request(std::string_view id, std::string_view method, std::string_view params)
{
    std::string text = R"({"jsonrpc":"2.0","id":)";
    text.append(id).append(R"(,"method":")").append(method).append("\"");
    if (!params.empty())
        text.append(R"(,"params":)").append(params);
    return text + "}";
}

std::string notification(std::string_view method, std::string_view params)
{
    std::string text = R"({"jsonrpc":"2.0","method":")";
    text.append(method).append("\"");
    if (!params.empty())
        text.append(R"(,"params":)").append(params);
    return text + "}";
}

std::string progress(std::string_view token, std::string_view value)
{
    return notification("$/progress", "{\"token\":" + std::string(token) + ",\"value\":" + std::string(value) + '}');
}

std::string cancel(std::string_view id)
{
    return notification("$/cancelRequest", R"({"id":)" + std::string(id) + "}");
}

std::string result(std::string_view id, std::string_view value)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":)" + std::string(value) + "}";
}

std::string cancelled(std::string_view id, std::string_view reason)
{
    const std::string data = reason.empty() ? "" : R"(,"data":{"reason":")" + std::string(reason) + "\"}";
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":{"code":-32800,"message":"Request cancelled")" +
           data + "}}";
}

} // namespace partyline::test
