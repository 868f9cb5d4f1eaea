#pragma once

#include "session/conversation.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/io_context.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace partyline::test {

/// Runs this on the executor of what runs on `context`, and what was posted before it.
void run_on(boost::asio::io_context& context, const std::function<void()>& task);

/// One of several connections over which a conversation is served: what was sent there, and what its driver was told.
class test_outlet final : public outlet::user {
public:
    test_outlet(boost::asio::io_context& context, conversation& served)
        : context_(&context), conversation_(&served), out_(&served.open_outlet(frames_, *this))
    {
    }

    error_code push(std::string text);
    void abandon(bool cancels);
    void release() { conversation_->release(*std::exchange(out_, nullptr)); }
    outlet& out() { return *out_; }

    /// The peer leaves what it is sent unread; and goes on.
    void stop_reading() { is_reading_ = false; }
    void resume_reading();
    /// What has been read since the last time.
    std::vector<std::string> take_lines();

    std::vector<message_type> taken;
    std::vector<std::string> answers; // "1 echo result", "2 gone error -32601"
    std::vector<bool> was_served;     // of these
    int idle = 0;                     // how often it was told that nothing more will come
    std::function<void()> on_idle;    // called once, when it is told so

private:
    void on_taken(const partyline::message& m, const message_reader&) override { taken.push_back(m.type); }
    void on_answered(const reply_given& how) noexcept override;
    void flush() override;

    line_framing frames_{limits()};
    boost::asio::io_context* context_;
    conversation* conversation_;
    outlet* out_;
    std::string read_;
    bool is_reading_ = true;
};

/// A driver that serves one conversation over outlets that tests open, with a stream of its own besides.
class outlet_driver : private conversation::host {
public:
    ~outlet_driver();

    boost::asio::io_context context{1};
    method_table methods;
    session_options options;
    std::vector<std::string> logged;

    /// Made when it is first asked for, with `methods` and `options` as they are by then.
    conversation& served();
    test_outlet& open() { return outlets_.emplace_back(context, served()); }
    /// The stream's peer leaves what it is sent unread; and goes on.
    void stop_reading_stream() { is_stream_read_ = false; }
    void resume_reading_stream();
    /// What the stream has sent.
    std::vector<std::string> take_stream_lines();
    /// The peer says this by the stream.
    void say_by_stream(std::string_view line);
    /// Runs everything that can run without waiting.
    void settle();
    bool has_ended() const { return has_ended_; }
    std::size_t in_flight() { return served().context().counters.in_flight.get(); }

private:
    void flush() override;
    void resume_reading() override {}
    void on_end(error_code) noexcept override { has_ended_ = true; }

    std::shared_ptr<conversation> conversation_;
    std::deque<test_outlet> outlets_;
    std::string read_;
    bool is_stream_read_ = true;
    bool has_ended_ = false;
};

} // namespace partyline::test
