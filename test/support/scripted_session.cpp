#include "support/scripted_session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace asio = boost::asio;
namespace json = boost::json;
using boost::asio::awaitable;

namespace partyline::test {

// Stands in a handler's frame from its start to its end.
class scripted_session::presence {
public:
    presence(scripted_session& in, const request_context& context) : in_(in)
    {
        ++in_.present_;
        if (!context.id().empty())
            in_.record_.started.emplace(context.id().text());
    }
    presence(const presence&) = delete;
    presence& operator=(const presence&) = delete;
    ~presence() { --in_.present_; }

private:
    scripted_session& in_;
};

scripted_session::scripted_session(connection::kind what, fault planned) : talk(what)
{
    talk.faults = std::make_shared<fault_plan>(std::move(planned));
    talk.faults->interrupt = [this] { interrupt(); };
    talk.options.bounds.message_bytes = 4096;
    talk.options.cancel_grace = std::chrono::seconds(10); // nobody needs it here
    talk.options.close_timeout = std::chrono::milliseconds(10);
    add_methods();
    add_waiting_methods();
    add_asking_methods();
}

void scripted_session::add_methods()
{
    talk.methods.add("echo", [this](request_context& c, json::value v) {
        const presence here(*this, c);
        return v;
    });
    talk.methods.add("big", [this](request_context& c, int n) {
        const presence here(*this, c);
        return std::string(static_cast<std::size_t>(n), 'x');
    });
    talk.methods.add("hop", [this](request_context& c, json::value v) -> awaitable<json::value> {
        const presence here(*this, c);
        co_await asio::post(c.get_executor(), asio::use_awaitable);
        co_await c.progress(1);
        co_return v;
    });
    // An executor of their own takes the same ways as a pool of threads; that it is the same context keeps runs alike.
    const method_options elsewhere{.executor = talk.context.get_executor()};
    talk.methods.add(
        "pool",
        [this](request_context& c, json::value v) -> awaitable<json::value> {
            const presence here(*this, c);
            co_await c.progress(1);
            const json::array news{"from the pool"};
            co_await c.notify("news", news);
            co_await door.wait();
            co_return v;
        },
        elsewhere);
    talk.methods.add(
        "pool_plain",
        [this](request_context& c, json::value v) {
            const presence here(*this, c);
            return v;
        },
        elsewhere);
}

void scripted_session::add_waiting_methods()
{
    const auto wait = [this](request_context& c) -> awaitable<std::string> {
        const presence here(*this, c);
        co_await door.wait();
        co_return "opened";
    };
    talk.methods.add("wait", wait);
    talk.methods.add("serial", wait, method_options{.max_concurrent = 1});
    talk.methods.add(
        "limited",
        [this](request_context& c) -> awaitable<void> {
            const presence here(*this, c);
            co_await never_.wait();
        },
        method_options{.deadline = std::chrono::milliseconds(2)});
    talk.methods.add_notification("note", wait);
    talk.methods.add("keep", [this](request_context& c) -> awaitable<std::string> {
        const presence here(*this, c);
        try {
            co_await door.wait();
        } catch (const boost::system::system_error&) {
            co_return "kept";
        }
        co_return "opened";
    });
    talk.methods.add("report", [this](request_context& c) -> awaitable<int> {
        const presence here(*this, c);
        co_await c.progress(1);
        const json::array news{"half way"};
        co_await c.notify("news", news);
        co_await door.wait();
        co_await c.progress(2);
        co_return 3;
    });
}

void scripted_session::add_asking_methods()
{
    const auto ask = [this](request_context& c) -> awaitable<std::string> {
        const presence here(*this, c);
        const auto [failed, reply] = co_await c.call("question", nullptr)(asio::as_tuple(asio::use_awaitable));
        co_return failed || !reply ? "failed" : reply->text();
    };
    talk.methods.add("ask", ask);
    talk.methods.add("pool_ask", ask, method_options{.executor = talk.context.get_executor()});
    talk.methods.add("delegate", [this](request_context& c) -> awaitable<int> {
        const presence here(*this, c);
        handlers_calls_.call(c, "question");
        co_await door.wait();
        co_return 1;
    });
}

// The fault that is none: everything ends here, by order. Destruction comes right after, as from any other handler.
void scripted_session::interrupt()
{
    if (talk.faults->planned().name == "stop")
        talk.server().stop();
    else
        asio::post(talk.context, [this] {
            has_session_ = false;
            talk.destroy_session();
        });
}

// Whether the session will hear nothing more: then there is nothing to wait for but what runs by itself.
bool scripted_session::is_input_cut() const
{
    const fault& planned = talk.faults->planned();
    return talk.faults->has_struck() &&
           (planned.what == fault::kind::truncate || (talk.faults->struck_read() && planned.error == asio::error::eof));
}

void scripted_session::wait_until(const std::function<bool()>& done)
{
    talk.start();
    talk.try_run_until([&] {
        if (is_input_cut())
            talk.settle();
        return done() || talk.has_ended() || is_input_cut();
    });
}

void scripted_session::say(std::string line)
{
    boost::system::error_code not_json;
    const json::value text = json::parse(line, not_json);
    const auto note_id = [this](const json::value& one) {
        if (const json::value* id = one.is_object() ? one.get_object().if_contains("id") : nullptr)
            record_.sent.insert(json::serialize(*id));
    };
    if (!text.is_array())
        note_id(text);
    else
        for (const json::value& one : text.get_array())
            note_id(one);
    talk.send(line);
}

void scripted_session::expect(std::vector<std::string> lines)
{
    expected_.insert(expected_.end(), lines.begin(), lines.end());
    wait_until([&] { return talk.heard().size() >= expected_.size(); });
    check_lines();
}

// Where something goes wrong, only a judge can say what may be said.
void scripted_session::check_lines()
{
    if (talk.faults->planned().what != fault::kind::none)
        return;
    std::vector<std::string> said = talk.heard();
    std::vector<std::string> expected = expected_;
    std::sort(said.begin(), said.end());
    std::sort(expected.begin(), expected.end());
    std::vector<std::string> missing;
    std::vector<std::string> unexpected;
    std::set_difference(expected.begin(), expected.end(), said.begin(), said.end(), std::back_inserter(missing));
    std::set_difference(said.begin(), said.end(), expected.begin(), expected.end(), std::back_inserter(unexpected));
    for (const std::string& line : missing)
        record_.problems.push_back("not said: " + line.substr(0, 500));
    for (const std::string& line : unexpected)
        record_.problems.push_back("not expected: " + line.substr(0, 500));
    expected_ = talk.heard(); // each is told once
}

void scripted_session::arrive(int handlers)
{
    wait_until([&] { return door.arrivals >= handlers; });
}

// A stream that has failed ends the session, which does not wait for the peer to do anything; and so does an order.
void scripted_session::check_prompt_end()
{
    const fault& planned = talk.faults->planned();
    const bool ends = planned.what == fault::kind::fail || planned.what == fault::kind::lose ||
                      planned.what == fault::kind::interrupt;
    if (!talk.faults->has_struck() || !ends || is_input_cut())
        return;
    talk.settle();
    if (!talk.has_ended())
        record_.problems.emplace_back("the session goes on");
}

session_record scripted_session::finish()
{
    check_prompt_end();
    talk.end_input();
    talk.settle();
    door.open();
    if (talk.try_run_until([this] { return talk.has_ended(); }))
        record_.result = talk.wait_end();
    else
        record_.problems.emplace_back("async_run did not complete");
    expected_.insert(expected_.end(), at_end_.begin(), at_end_.end());
    check_lines();
    check_all_gone();
    record_.calls = calls_.texts();
    record_.handlers_calls = handlers_calls_.texts();
    if (calls_.has_late_progress())
        record_.problems.emplace_back("progress after the end of its call");
    record_.lines = talk.heard();
    record_.tail = talk.heard_in_part();
    record_.steps = talk.faults->steps();
    record_.has_struck = talk.faults->has_struck();
    record_.struck_read = talk.faults->struck_read();
    return std::move(record_);
}

void scripted_session::check_all_gone()
{
    talk.destroy_session();
    if (talk.faults->is_holding())
        talk.faults->release();
    talk.context.restart();
    talk.context.run_until(std::chrono::steady_clock::now() + std::chrono::seconds(20));
    if (!talk.context.stopped())
        record_.problems.emplace_back("something is left in the io_context");
    if (present_ != 0)
        record_.problems.emplace_back("a handler has not ended");
    if (talk.holds_methods())
        record_.problems.emplace_back("the method table is still held");
}

} // namespace partyline::test
