// Who may call what: a session asks a view of its peer's rights, and handlers see the peer.

#include "support/dialogue.hpp"

#include <partyline/session/access_view.hpp>

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::access_answer;
using partyline::access_verdict;
using partyline::access_view;
using partyline::request_context;

namespace {

// What it does not name is hidden.
struct listed_view final : access_view {
    explicit listed_view(std::map<std::string, access_answer, std::less<>> all) : answers(std::move(all)) {}

    access_verdict judge(std::string_view method, std::string_view key) const noexcept override
    {
        asked += std::string(method) + '(' + std::string(key) + ')';
        const auto found = answers.find(key.empty() ? method : key);
        const access_answer is = found == answers.end() ? access_answer::hidden : found->second;
        return {is, is == access_answer::lacks_scope ? scopes : std::span<const std::string>()};
    }

    const std::map<std::string, access_answer, std::less<>> answers;
    const std::vector<std::string> scopes{"files:read", "files:write"};
    mutable std::string asked;
};

// "fruit" stands for an apple and a pear.
class fruit_methods final : public partyline::dispatcher {
public:
    fruit_methods()
    {
        table_.add("fruit", [](const json::value&) { return "there is none of that name"; });
        table_.add("apple", [](const json::value&) { return "an apple"; });
        table_.add("pear", [](const json::value&) { return "a pear"; });
        group_.name = "fruit";
        group_.is_group = true;
        group_.target = std::make_unique<forwarding>(*table_.find("fruit")->target);
    }

    const partyline::method* find(std::string_view name) const noexcept override
    {
        return name == "fruit" ? &group_ : nullptr;
    }
    const partyline::method& select(const partyline::method& group, const partyline::message& m,
                                    partyline::message_reader& reader) const noexcept override
    {
        const partyline::method* const meant = table_.find(key(group, m, reader));
        return meant ? *meant : group;
    }
    std::string key(const partyline::method&, const partyline::message&,
                    partyline::message_reader& reader) const override
    {
        const json::value name = reader.find_param("name").to_value();
        return name.is_string() ? std::string(name.get_string()) : std::string();
    }

private:
    class forwarding final : public partyline::handler {
    public:
        explicit forwarding(partyline::handler& to) : handler(kind::plain), to_(to) {}
        void call(request_context& context, partyline::json_view params, partyline::result_writer& out) override
        {
            to_.call(context, params, out);
        }

    private:
        partyline::handler& to_;
    };

    partyline::method_table table_;
    partyline::method group_;
};

struct fixture : dialogue {
    int notes = 0;

    fixture()
    {
        methods.add("open", [] { return 1; });
        methods.add("secret", [] { return 2; });
        methods.add("write", [] { return 3; });
        methods.add_notification("note", [this] { ++notes; });
        methods.add("who", [](request_context& request) {
            return request.peer().principal + (request.access() ? " (restricted)" : "");
        });
    }

    std::shared_ptr<listed_view> restrict(std::map<std::string, access_answer, std::less<>> all)
    {
        auto view = std::make_shared<listed_view>(std::move(all));
        options.access = view;
        return view;
    }
    void use(std::map<std::string, access_answer, std::less<>> all)
    {
        server().use_access(std::make_shared<listed_view>(std::move(all)));
        settle();
    }
};

constexpr access_answer allowed = access_answer::allowed;
constexpr access_answer lacks_scope = access_answer::lacks_scope;

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_access, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(without_a_view_everything_may_be_called_and_nothing_is_known_of_the_peer)
{
    send(request("1", "secret"));
    expect(result("1", "2"));
    send(request("2", "who"));
    expect(result("2", R"("")"));
}

BOOST_AUTO_TEST_CASE(a_view_allows_hides_and_asks_for_scopes)
{
    const auto view = restrict({{"open", allowed}, {"write", lacks_scope}});
    send(request("1", "open"));
    expect(result("1", "1"));
    send(request("2", "write"));
    expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":-31003,"message":"Insufficient scope",)"
           R"("data":{"required":["files:read","files:write"]}}})");
    BOOST_TEST(view->asked == "open()write()");
}

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(a_hidden_method_is_answered_as_one_that_there_is_not)
{
    restrict({{"open", allowed}});
    send(request("1", "secret"));
    const std::string hidden = receive();
    send(request("1", "zecret"));
    std::string unknown = receive();
    unknown.replace(unknown.find("zecret"), 6, "secret");
    BOOST_TEST(hidden == unknown);
}

BOOST_AUTO_TEST_CASE(notifications_that_may_not_be_called_are_dropped_and_counted)
{
    methods.add_notification("hidden", [this] { ++notes; });
    restrict({{"open", allowed}, {"note", lacks_scope}});
    send(notification("hidden"));
    send(notification("note"));
    send(request("1", "open"));
    expect(result("1", "1"));
    BOOST_TEST(notes == 0);
    BOOST_TEST(server().counters().dropped == 2u);
    use({{"open", allowed}, {"note", allowed}});
    send(notification("note"));
    send(request("2", "open"));
    expect(result("2", "1"));
    BOOST_TEST(notes == 1);
    BOOST_TEST(server().counters().dropped == 2u);
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_are_judged_one_by_one)
{
    restrict({{"open", allowed}, {"write", lacks_scope}});
    send('[' + request("1", "open") + ',' + request("2", "secret") + ',' + request("3", "write") + ']');
    const std::string line = receive();
    BOOST_TEST(line.find(R"("id":1,"result":1)") != std::string::npos);
    BOOST_TEST(line.find(R"("id":2,"error":{"code":-32601)") != std::string::npos);
    BOOST_TEST(line.find(R"("id":3,"error":{"code":-31003)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_member_of_a_group_is_judged_by_its_name_and_a_hidden_one_is_not_there)
{
    other_methods = std::make_shared<const fruit_methods>();
    const auto view = restrict({{"apple", allowed}, {"fig", lacks_scope}});
    send(request("1", "fruit", R"({"name":"apple"})"));
    expect(result("1", R"("an apple")"));
    send(request("2", "fruit", R"({"name":"\u0070ear"})"));
    expect(result("2", R"("there is none of that name")"));
    send(request("3", "fruit", R"({"name":"plum"})"));
    expect(result("3", R"("there is none of that name")"));
    send(request("4", "fruit", R"({"name":"fig"})")); // which there is not
    expect(result("4", R"("there is none of that name")"));
    BOOST_TEST(view->asked == "fruit(apple)fruit(pear)");
}

BOOST_AUTO_TEST_CASE(another_view_holds_from_the_next_request_on)
{
    gate held(context);
    methods.add("wait", [&](request_context& request) -> asio::awaitable<std::string> {
        co_await held.wait();
        co_return request.access() ? "restricted" : "free";
    });
    restrict({{"wait", allowed}});
    send(request("1", "wait"));
    run_until([&] { return held.arrivals == 1; });
    use({});
    send(request("2", "wait"));
    BOOST_TEST(receive().find("-32601") != std::string::npos);
    server().use_access(nullptr);
    settle();
    held.open();
    expect(result("1", R"("free")"));
    send(request("3", "who"));
    expect(result("3", R"("")"));
}

BOOST_AUTO_TEST_CASE(a_request_that_waits_is_not_judged_again)
{
    gate held(context);
    methods.add("wait", [&](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 7;
    });
    options.bounds.in_flight_requests = 1;
    const auto view = restrict({{"wait", allowed}, {"open", allowed}});
    send(request("1", "wait"));
    send(request("2", "open"));
    run_until([&] { return view->asked == "wait()open()"; });
    use({});
    held.open();
    expect(result("1", "7"));
    expect(result("2", "1"));
}

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(discovery_leaves_out_what_is_hidden)
{
    methods.add_discovery({"unit", "1.0"});
    restrict({{"rpc.discover", allowed}, {"open", allowed}, {"write", lacks_scope}});
    send(request("1", "rpc.discover"));
    const std::string document = receive();
    BOOST_TEST(document.find(R"("open")") != std::string::npos);
    BOOST_TEST(document.find(R"("write")") != std::string::npos); // which it may know of
    BOOST_TEST(document.find("secret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(handlers_see_the_peer)
{
    auto known = std::make_shared<partyline::peer_identity>();
    known->principal = "alice";
    known->source = "token";
    options.peer = known;
    restrict({{"who", allowed}});
    send(request("1", "who"));
    expect(result("1", "\"alice (restricted)\""));
}

BOOST_AUTO_TEST_CASE(a_cancel_needs_no_right)
{
    gate held(context);
    methods.add("wait", [&](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 1;
    });
    restrict({{"wait", allowed}});
    send(request("1", "wait"));
    send(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})");
    BOOST_TEST(receive().find("-32800") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_peer_whose_access_has_ended_gets_the_replies_to_what_runs_and_begins_nothing_more)
{
    gate held(context);
    methods.add("wait", [&](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 1;
    });
    options.bounds.in_flight_requests = 1;
    send(request("1", "wait"));
    send(request("2", "open"));
    run_until([&] { return server().counters().waiting == 1; });
    server().end_access();
    expect(cancelled("2", "the access of the peer has ended"));
    send(request("3", "open"));
    expect(R"({"jsonrpc":"2.0","id":3,"error":{"code":-31005,"message":"Authentication required"}})");
    send(notification("note"));
    settle();
    BOOST_TEST(!has_ended());
    held.open();
    expect(result("1", "1"));
    BOOST_TEST(wait_end() == make_error_code(partyline::errc::access_ended));
    BOOST_TEST(notes == 0);
}

BOOST_AUTO_TEST_CASE(a_peer_whose_access_has_ended_learns_no_names)
{
    gate held(context);
    methods.add("wait", [&](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 1;
    });
    restrict({{"wait", allowed}, {"open", allowed}});
    send(request("1", "wait"));
    run_until([&] { return held.arrivals == 1; });
    server().end_access();
    for (const char* const name : {"open", "secret", "which there is not"}) {
        send(request("2", name));
        expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":-31005,"message":"Authentication required"}})");
    }
    held.open();
    expect(result("1", "1"));
    BOOST_TEST(wait_end() == make_error_code(partyline::errc::access_ended));
}

BOOST_AUTO_TEST_CASE(what_never_ends_by_itself_is_cancelled_when_access_has_ended)
{
    gate held(context);
    methods.add(
        "watch", [&]() -> asio::awaitable<void> { co_await held.wait(); },
        partyline::method_options{.open_ended = true});
    send(request("1", "watch"));
    run_until([&] { return held.arrivals == 1; });
    server().end_access();
    expect(cancelled("1", "the access of the peer has ended"));
    BOOST_TEST(wait_end() == make_error_code(partyline::errc::access_ended));
}

BOOST_AUTO_TEST_CASE(a_peer_whose_access_has_ended_may_cancel_what_runs)
{
    gate held(context);
    methods.add("wait", [&](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 1;
    });
    send(request("1", "wait"));
    run_until([&] { return held.arrivals == 1; });
    server().end_access();
    server().end_access(); // as a second tick may
    send(cancel("1"));
    expect(cancelled("1"));
    BOOST_TEST(wait_end() == make_error_code(partyline::errc::access_ended));
}

BOOST_AUTO_TEST_CASE(where_nothing_runs_a_session_ends_with_the_access_of_its_peer)
{
    send(request("1", "open"));
    expect(result("1", "1"));
    server().end_access();
    BOOST_TEST(wait_end() == make_error_code(partyline::errc::access_ended));
}

BOOST_AUTO_TEST_CASE(what_runs_for_longer_than_the_drain_timeout_is_cancelled_when_access_has_ended)
{
    gate held(context);
    methods.add("wait", [&](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 1;
    });
    options.drain_timeout = std::chrono::milliseconds(1);
    send(request("1", "wait"));
    run_until([&] { return held.arrivals == 1; });
    server().end_access();
    expect(cancelled("1", "the access of the peer has ended"));
    BOOST_TEST(wait_end() == make_error_code(partyline::errc::access_ended));
}

BOOST_AUTO_TEST_CASE(the_rest_of_a_batch_is_refused_when_access_has_ended)
{
    gate held(context);
    methods.add(
        "wait",
        [&](request_context&) -> asio::awaitable<int> {
            co_await held.wait();
            co_return 1;
        },
        partyline::method_options{.exclusive = true});
    send('[' + request("1", "wait") + ',' + request("2", "open") + ']');
    run_until([&] { return server().counters().waiting == 1; });
    server().end_access();
    settle();
    held.open();
    expect('[' + cancelled("2", "the access of the peer has ended") + ',' + result("1", "1") + ']');
    BOOST_TEST(wait_end() == make_error_code(partyline::errc::access_ended));
}

BOOST_AUTO_TEST_SUITE_END()
