#include "faulty_run.hpp"

#include <partyline/lsp/lsp.hpp>
#include <partyline/session/access_view.hpp>
#include <partyline/session/session_group.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <utility>

namespace partyline::test {
namespace {

std::string line(std::string text)
{
    return std::move(text) + '\n';
}

// Longer than a string that needs no memory, as the ids of many clients are.
std::string id_text(int id)
{
    return "\"5f0c6a1e-8d4b-4c57-9a1f-0000000" + std::to_string(id) + '"';
}

std::string request(int id, const std::string& method, const std::string& params)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id_text(id) + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
}

std::string notification(const std::string& method, const std::string& params)
{
    return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}";
}

std::string cancel(int id)
{
    return notification("$/cancelRequest", "{\"id\":" + id_text(id) + '}');
}

std::string reply(int id)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"result\":[\"so\"]}";
}

std::string framed(const std::string& text)
{
    return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

// The same for params, so that every copy of them may fail.
constexpr const char* words = R"(["these are many words, so that whoever keeps them needs memory"])";

void speak_lsp(session_options& options)
{
    options.profile = &lsp::profile;
}

// What is behind two marks is soon full.
void have_little_room(session_options& options)
{
    options.bounds.outbox_soft_bytes = 10'000;
    options.bounds.outbox_hard_bytes = 200'000;
    options.bounds.in_flight_requests = 4;
}

script plain()
{
    return {"plain requests and bad lines",
            {line(request(1, "echo", words)) + line(request(2, "refuse", words)) + line("rubbish"),
             line(request(3, "nobody", words)) + line("{\"id\":4}") + line(request(5, "echo", "[1e400]"))},
            {},
            false,
            0,
            false};
}

script suspending()
{
    return {"handlers that suspend",
            {line(request(1, "hop", words)) + line(request(2, "hop", words)) + line(notification("hop", words)),
             line(request(3, "report", words)) + line(request(4, "offloaded", words))}};
}

script cancelled()
{
    return {"cancels and the end of input",
            {line(request(1, "forever", words)) + line(request(2, "forever", words)), line(cancel(1)),
             line(request(3, "alone", words)) + line(request(4, "alone", words)) + line(request(5, "echo", words))}};
}

script batches()
{
    return {"batches",
            {line("[" + request(1, "echo", words) + "," + request(2, "hop", words) + ",7," +
                  notification("hop", words) + "]") +
             line("[" + request(3, "offloaded", words) + "," + request(4, "nobody", words) + "]")}};
}

script calling()
{
    return {"calls, nested and its owner's",
            {line(request(1, "ask", words)), line(reply(1)) + line(reply(3)), line(cancel(1))},
            {},
            false,
            2};
}

boost::asio::awaitable<response> pass_on(peer_call&, next_call& next)
{
    co_return co_await next();
}

void put_middleware_around(session_options& options)
{
    options.around_calls.add([](peer_call& call) { call.set_metadata("trace", boost::json::value(words)); });
    options.around_calls.add(pass_on);
}

// What it is told as it begins, by way of a group.
void be_told(session_options& options)
{
    const auto group = std::make_shared<session_group>();
    options.on_start = [group](const std::shared_ptr<session_link>& its) {
        group->add(its);
        group->broadcast("news", json_text(words));
        group->broadcast("news", json_text(words));
    };
    options.on_end = [group](const std::shared_ptr<session_link>& its, error_code) { group->remove(its); };
}

script told_by_a_group()
{
    return {"what a group tells", {line(request(1, "echo", words)), line(request(2, "hop", words))}, be_told};
}

// The client unsubscribes by a notification: whether there is something to end depends on what has failed.
script subscribing()
{
    return {"a subscription",
            {line(request(1, "subscribe_count", words)), line(notification("unsubscribe_count", "[1]")),
             line(request(3, "echo", words))}};
}

script failing_subscription()
{
    return {"a subscription whose handler fails",
            {line(request(1, "subscribe_failing", words)), line(request(2, "unsubscribe_failing", "[1]"))}};
}

script passing_middleware()
{
    script played = calling();
    played.name = "calls with middleware around";
    played.input = {line(request(1, "ask", words)), line(reply(18)) + line(reply(35)), line(cancel(1))};
    played.prepare = put_middleware_around;
    played.calls = 16; // so that ends are told with no memory kept for reuse
    played.notifications = 1;
    return played;
}

script unanswered()
{
    return {"calls that nobody answers",
            {line(request(1, "ask", words)) + line(request(2, "ask_elsewhere", words))},
            {},
            false,
            3};
}

script unread()
{
    return {"a peer that reads late",
            {line(request(1, "big", "[]")) + line(request(2, "big", "[]")) + line(request(3, "hop", words)),
             line(request(4, "report", words)) + line(request(5, "hop", words)) + line(request(6, "big", "[]")),
             line(request(7, "ask", words)), line(cancel(7))},
            have_little_room,
            true,
            1};
}

script stubborn()
{
    return {"handlers that do not end, and others that wait",
            {line(request(1, "stay", words)) + line(request(2, "alone", words)) + line(request(3, "echo", words)) +
             line(notification("hop", words))}};
}

script refused_late()
{
    return {
        "long refusals that wait for room",
        {line(request(1, "big", "[]")) + line(request(2, "refuse_at_length", "[]")) + line(request(3, "report", words)),
         line(request(4, "refuse_at_length", "[]")) + line(request(5, "report", words))},
        have_little_room,
        true};
}

script telling()
{
    script played = plain();
    played.name = "notifications of its owner's";
    played.notifications = 3;
    return played;
}

script long_messages()
{
    const std::string text = "[\"" + std::string(200'000, 'x') + "\"]";
    return {"long messages",
            {line(request(1, "echo", text)), line(request(2, "hop", text)) + line(request(3, "echo", words))}};
}

script language_server()
{
    return {
        "a language server",
        {framed(request(1, "initialize",
                        R"({"processId":null,"capabilities":{"window":{"workDoneProgress":true}},"trace":"verbose"})")),
         framed(notification("initialized", "{}")) + framed(request(2, "hop", words)) +
             framed(request(3, "report", R"({"workDoneToken":"t"})")),
         framed(notification("$/setTrace", R"({"value":"off"})")) + framed(request(4, "shutdown", "[]")),
         framed(notification("exit", "[]"))},
        speak_lsp};
}

struct scoped_echo final : access_view {
    access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        if (method == "refuse")
            return {access_answer::hidden};
        return {method == "echo" ? access_answer::lacks_scope : access_answer::allowed, scopes};
    }

    const std::vector<std::string> scopes{"the scope that everybody lacks who runs these tests"};
};

script restricted()
{
    return {"what a view and a quota do not allow",
            {line(request(1, "hop", words)) + line(request(2, "hop", words)) + line(request(3, "echo", words)),
             line(request(4, "refuse", words)) + line(notification("echo", words)),
             line('[' + request(5, "hop", words) + ',' + request(6, "report", words) + ']')},
            [](session_options& options) { options.access = std::make_shared<const scoped_echo>(); },
            false,
            0,
            0,
            true,
            {},
            1};
}

} // namespace

const std::vector<script>& scripts()
{
    static const std::vector<script> all{plain(),
                                         suspending(),
                                         cancelled(),
                                         batches(),
                                         calling(),
                                         unanswered(),
                                         unread(),
                                         long_messages(),
                                         language_server(),
                                         stubborn(),
                                         refused_late(),
                                         telling(),
                                         passing_middleware(),
                                         restricted(),
                                         told_by_a_group(),
                                         subscribing(),
                                         failing_subscription()};
    return all;
}

} // namespace partyline::test
