#include "support/outlet_driver.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cstring>
#include <utility>

namespace partyline::test {
namespace {

std::vector<std::string> lines_of(std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1))
        lines.push_back(text.substr(0, end));
    return lines;
}

void send_all(outlet& from, std::string& to)
{
    for (std::string_view unsent; !(unsent = from.unsent()).empty();) {
        to.append(unsent);
        from.sent(unsent.size());
    }
}

} // namespace

void run_on(boost::asio::io_context& context, const std::function<void()>& task)
{
    bool is_done = false;
    boost::asio::post(context, [&] {
        task();
        is_done = true;
    });
    context.restart();
    while (!is_done)
        context.poll_one();
}

error_code test_outlet::push(std::string text)
{
    error_code failed;
    run_on(*context_, [&] { failed = conversation_->push(*out_, std::move(text)); });
    return failed;
}

void test_outlet::abandon(bool cancels)
{
    run_on(*context_, [&] { conversation_->abandon(*out_, cancels); });
    release();
}

void test_outlet::resume_reading()
{
    is_reading_ = true;
    run_on(*context_, [&] {
        send_all(*out_, read_);
        conversation_->drive();
    });
}

std::vector<std::string> test_outlet::take_lines()
{
    return lines_of(read_);
}

void test_outlet::on_answered(const reply_given& how) noexcept
{
    constexpr const char* outcomes[] = {"result", "error", "none"};
    std::string line =
        std::string(how.id) + ' ' + std::string(how.method) + ' ' + outcomes[static_cast<int>(how.outcome)];
    if (how.error_code)
        line += ' ' + std::to_string(how.error_code);
    answers.push_back(std::move(line));
    was_served.push_back(how.was_served);
}

void test_outlet::flush()
{
    if (!out_)
        return;
    if (is_reading_)
        send_all(*out_, read_);
    if (!out_->is_idle())
        return;
    ++idle;
    if (const auto told = std::exchange(on_idle, nullptr))
        told();
}

outlet_driver::~outlet_driver()
{
    if (conversation_)
        run_on(context, [&] { conversation_->stop(boost::asio::error::operation_aborted, {}); });
    settle();
    if (conversation_)
        conversation_->detach();
    settle();
}

conversation& outlet_driver::served()
{
    if (!conversation_) {
        options.log = [this](std::string_view line) { logged.emplace_back(line); };
        auto frames = make_framing(framing_kind::lines, options.bounds);
        conversation_ = std::make_shared<conversation>(context.get_executor(),
                                                       std::make_shared<const method_table>(std::move(methods)),
                                                       options, std::move(frames));
        conversation_->attach(*this);
    }
    return *conversation_;
}

void outlet_driver::resume_reading_stream()
{
    is_stream_read_ = true;
    run_on(context, [&] { served().drive(); });
}

void outlet_driver::flush()
{
    if (is_stream_read_)
        send_all(conversation_->out(), read_);
}

std::vector<std::string> outlet_driver::take_stream_lines()
{
    return lines_of(read_);
}

void outlet_driver::say_by_stream(std::string_view line)
{
    framing& frames = served().frames();
    const std::span<char> room = frames.prepare();
    std::memcpy(room.data(), line.data(), line.size());
    room[line.size()] = '\n';
    frames.commit(line.size() + 1);
    run_on(context, [&] { served().drive(); });
}

void outlet_driver::settle()
{
    context.restart();
    context.poll();
}

} // namespace partyline::test
