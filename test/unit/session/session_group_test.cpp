// What a group tells its sessions, and what becomes of those that do not keep up.

#include "support/dialogue.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/session/memory_budget.hpp>
#include <partyline/session/session_group.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <any>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace json = boost::json;
using namespace partyline::test;
using namespace partyline;

namespace {

/// A session whose executor runs when the test says so, and whose peer reads as the test says.
class played_session final : public session_link, private live_session {
public:
    std::vector<std::string> told; // method and params
    std::size_t room = 1000;       // how many more notifications
    bool is_closed = false;
    bool has_ended = false;
    bool has_memory = true;

    /// Runs what has been posted, also what that posts.
    void run()
    {
        while (!posted_.empty()) {
            const std::function<void(live_session&)> next = std::move(posted_.front());
            posted_.pop_front();
            next(*this);
        }
    }
    std::size_t posts() const { return posted_.size(); }
    /// Its peer has read: there is room for so many more, first for the one that waits.
    void read(std::size_t count)
    {
        room = count;
        if (!waiting_.empty()) {
            notify_handler waiting = std::move(waiting_.front());
            waiting_.pop_front();
            --room;
            std::move(waiting)(error_code());
        }
        run();
    }
    /// What was posted keeps its member, which keeps this.
    void forget()
    {
        posted_.clear();
        waiting_.clear();
    }

private:
    bool post(std::function<void(live_session&)> function) override
    {
        if (!has_memory)
            throw std::bad_alloc();
        if (has_ended)
            return false;
        posted_.push_back(std::move(function));
        return true;
    }
    bool is_open() const noexcept override { return !has_ended; }
    const std::shared_ptr<const peer_identity>& peer() const noexcept override { return nobody_; }
    void log(std::string_view) const noexcept override {}
    bool exposes_errors() const noexcept override { return false; }
    std::shared_ptr<const access_view> access() const override { return nullptr; }
    const std::shared_ptr<memory_budget>& budget() const noexcept override { return none_; }

    void use_methods(std::shared_ptr<const dispatcher>) override {}
    void use_access(std::shared_ptr<const access_view>) override {}
    void close() override { is_closed = true; }
    bool has_room() const noexcept override { return room != 0; }
    std::any& session_user_data() noexcept override { return data_; }
    void start_call(std::string, call_params, call_options, call_handler) override {}
    void start_batch(call_batch, call_options, batch_handler) override {}
    void start_notify(std::string method, call_params params, notify_handler done) override
    {
        std::string text;
        BOOST_TEST(!params.append_to(text, 10));
        told.push_back(method + text);
        if (is_closed)
            return std::move(done)(errc::session_closed);
        if (room == 0) {
            BOOST_TEST(waiting_.empty()); // one waits
            waiting_.push_back(std::move(done));
            return;
        }
        --room;
        std::move(done)(error_code());
    }

    std::list<std::function<void(live_session&)>> posted_;
    std::list<notify_handler> waiting_;
    std::shared_ptr<const peer_identity> nobody_;
    std::shared_ptr<memory_budget> none_;
    std::any data_;
};

struct group_fixture {
    session_group group;
    std::shared_ptr<played_session> ada = std::make_shared<played_session>();
    std::shared_ptr<played_session> bob = std::make_shared<played_session>();

    explicit group_fixture(session_group_options options = {}) : group(options)
    {
        group.add(ada);
        group.add(bob);
    }
    ~group_fixture()
    {
        ada->forget();
        bob->forget();
    }
};

using lines = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(session_groups, *boost::unit_test::timeout(120))

BOOST_FIXTURE_TEST_CASE(all_sessions_are_told_the_same_in_the_same_order, group_fixture)
{
    BOOST_TEST(group.broadcast("first", args(1)) == 2u);
    BOOST_TEST(group.broadcast("second", named("a", 2)) == 2u);
    BOOST_TEST(group.broadcast("third") == 2u);
    BOOST_TEST(ada->told.empty()); // nothing is waited for
    BOOST_TEST(ada->posts() == 1u);
    ada->run();
    bob->run();
    const lines expected = {"first[1]", R"(second{"a":2})", "third"};
    BOOST_TEST(ada->told == expected, boost::test_tools::per_element());
    BOOST_TEST(bob->told == expected, boost::test_tools::per_element());
    group.broadcast("fourth");
    ada->run();
    BOOST_TEST(ada->told.back() == "fourth");
    BOOST_TEST(group.dropped() == 0u);
}

BOOST_FIXTURE_TEST_CASE(the_sender_may_be_left_out, group_fixture)
{
    BOOST_TEST(group.broadcast("said", args("hello"), ada) == 1u);
    BOOST_TEST(group.broadcast("said", args("bye"), std::make_shared<played_session>()) == 2u);
    ada->run();
    bob->run();
    BOOST_TEST(ada->told == lines{R"(said["bye"])"}, boost::test_tools::per_element());
    BOOST_TEST(bob->told == (lines{R"(said["hello"])", R"(said["bye"])"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(what_is_removed_hears_nothing_more, group_fixture)
{
    group.broadcast("on_its_way");
    BOOST_TEST(group.remove(ada));
    BOOST_TEST(!group.remove(ada));
    BOOST_TEST(group.broadcast("later") == 1u);
    ada->run();
    bob->run();
    BOOST_TEST(ada->told.empty());
    BOOST_TEST(bob->told == (lines{"on_its_way", "later"}), boost::test_tools::per_element());
    BOOST_TEST(group.add(ada));
    group.broadcast("again");
    ada->run();
    BOOST_TEST(ada->told == lines{"again"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(what_is_added_twice_is_told_once, group_fixture)
{
    group.broadcast("before");
    BOOST_TEST(!group.add(ada));
    BOOST_TEST(group.broadcast("after") == 2u);
    ada->run();
    BOOST_TEST(ada->told == (lines{"before", "after"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(sessions_leave_by_their_end, group_fixture)
{
    BOOST_TEST(group.size() == 2u);
    ada->has_ended = true;
    BOOST_TEST(group.size() == 1u);
    BOOST_REQUIRE(group.sessions().size() == 1u);
    BOOST_TEST((group.sessions().front() == bob));
    BOOST_TEST(group.broadcast("who_is_there") == 1u);
    BOOST_TEST(ada.use_count() == 1); // it is kept no more
}

BOOST_AUTO_TEST_CASE(a_group_that_is_told_nothing_forgets_those_that_have_ended)
{
    session_group group;
    std::weak_ptr<played_session> first;
    std::size_t kept = 0;
    std::vector<std::weak_ptr<played_session>> all;
    for (int i = 0; i != 1000; ++i) {
        const auto one = std::make_shared<played_session>();
        group.add(one);
        one->has_ended = true;
        all.push_back(one);
    }
    for (const std::weak_ptr<played_session>& one : all)
        kept += !one.expired();
    BOOST_TEST(kept <= 32u);
    BOOST_TEST(group.size() == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_session_that_reads_gets_all_of_a_burst, group_fixture)
{
    ada->room = 3;
    for (int i = 0; i != 100; ++i)
        group.broadcast("news", args(i));
    ada->run();
    BOOST_TEST(ada->told.size() == 4u); // the last of them waits
    ada->read(2);
    BOOST_TEST(ada->told.size() == 6u);
    ada->read(1000);
    BOOST_TEST(ada->told.size() == 100u);
    BOOST_TEST(ada->told.back() == "news[99]");
    BOOST_TEST(group.dropped() == 0u);
}

BOOST_AUTO_TEST_CASE(a_session_that_does_not_read_misses_what_finds_no_room_in_its_queue)
{
    group_fixture f({.queue_bytes = 3000});
    const std::string text(1000, 'x');
    f.ada->room = 0;
    for (int i = 0; i != 100; ++i) {
        f.group.broadcast("news", args(i, text));
        f.ada->run();
        f.bob->run();
    }
    BOOST_TEST(f.bob->told.size() == 100u);
    BOOST_TEST(f.ada->told.size() == 1u);
    const std::uint64_t dropped = f.group.dropped();
    BOOST_TEST(dropped > 90u);
    f.ada->read(1000);
    BOOST_TEST(f.ada->told.size() + dropped == 100u);
    f.group.broadcast("later");
    f.ada->run();
    BOOST_TEST(f.ada->told.back() == "later");
    BOOST_TEST(!f.ada->is_closed);
}

BOOST_AUTO_TEST_CASE(a_session_that_does_not_read_is_closed_where_that_is_wanted)
{
    group_fixture f({.slow_consumers = slow_consumer::disconnect, .queue_bytes = 3000});
    const std::string text(1000, 'x');
    f.ada->room = 0;
    for (int i = 0; i != 100; ++i) {
        f.group.broadcast("news", args(i, text));
        f.ada->run();
        f.bob->run();
    }
    BOOST_TEST(f.ada->is_closed);
    BOOST_TEST(!f.bob->is_closed);
    BOOST_TEST(f.bob->told.size() == 100u);
}

BOOST_AUTO_TEST_CASE(one_that_could_not_be_closed_for_want_of_memory_is_closed_later)
{
    group_fixture f({.slow_consumers = slow_consumer::disconnect, .queue_bytes = 1000});
    const std::string text(1000, 'x');
    f.group.remove(f.bob);
    f.group.broadcast("news", args(text)); // which is on its way
    f.ada->has_memory = false;
    BOOST_CHECK_THROW(f.group.broadcast("news", args(text)), std::bad_alloc);
    f.ada->has_memory = true;
    f.group.broadcast("news", args(text));
    f.ada->run();
    BOOST_TEST(f.ada->is_closed);
}

BOOST_AUTO_TEST_CASE(what_waits_for_a_busy_executor_is_bounded)
{
    group_fixture f({.queue_bytes = 10'000});
    const std::string text(1000, 'x');
    for (int i = 0; i != 100; ++i)
        f.group.broadcast("news", args(text));
    BOOST_TEST(f.ada->posts() == 1u);
    f.ada->run();
    BOOST_TEST(f.ada->told.size() < 10u);
    BOOST_TEST(f.ada->told.size() > 5u);
    BOOST_TEST(f.group.dropped() == 2 * (100 - f.ada->told.size()));
    f.group.broadcast("larger", args(std::string(20'000, 'x'))); // one is taken whatever its size
    f.ada->run();
    BOOST_TEST(f.ada->told.back().substr(0, 6) == "larger");
}

BOOST_FIXTURE_TEST_CASE(what_can_not_be_sent_is_counted, group_fixture)
{
    ada->is_closed = true;
    group.broadcast("news");
    ada->run();
    BOOST_TEST(group.dropped() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_broadcast_without_memory_leaves_all_sessions_as_they_are, group_fixture)
{
    ada->has_memory = bob->has_memory = false;
    BOOST_CHECK_THROW(group.broadcast("lost"), std::bad_alloc);
    ada->has_memory = bob->has_memory = true;
    BOOST_TEST(group.broadcast("news") == 2u);
    ada->run();
    bob->run();
    BOOST_TEST(ada->told == lines{"news"}, boost::test_tools::per_element());
    BOOST_TEST(bob->told == lines{"news"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(misuse_is_told, group_fixture)
{
    BOOST_CHECK_THROW(group.add(nullptr), std::invalid_argument);
    BOOST_CHECK_THROW(group.broadcast("news", json::value(7)), std::invalid_argument);
    BOOST_CHECK_THROW(group.broadcast("news", json_text("[1,")), std::invalid_argument);
    BOOST_CHECK_THROW(group.broadcast("", args(1)), std::invalid_argument);
    json::value deep = 1;
    for (std::size_t i = 1; i != limits().depth; ++i)
        deep = json::array{std::move(deep)};
    BOOST_TEST(group.broadcast("news", deep) == 2u); // it is in an object then
    BOOST_CHECK_THROW(group.broadcast("news", json::array{deep}), std::invalid_argument);
    BOOST_TEST(!group.remove(nullptr));
    ada->run();
    BOOST_TEST(ada->told.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_on_its_way_is_told_when_the_group_has_gone)
{
    const auto ada = std::make_shared<played_session>();
    {
        session_group group;
        group.add(ada);
        group.broadcast("last");
    }
    ada->run();
    BOOST_TEST(ada->told == lines{"last"}, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_real_session_that_does_not_read_keeps_little, dialogue)
{
    const auto group = std::make_shared<session_group>(session_group_options{.queue_bytes = 20'000});
    options.bounds.outbox_soft_bytes = 16384;
    options.on_start = [group](const std::shared_ptr<session_link>& its) { group->add(its); };
    methods.add("echo", [](int number) { return number; });
    start();
    settle();
    stop_reading();
    const std::string text(1024, 'x');
    for (int i = 0; i != 2'000; ++i) {
        group->broadcast("news", args(text));
        settle();
    }
    const std::uint64_t dropped = group->dropped();
    BOOST_TEST(dropped > 1'500u);
    BOOST_TEST(server().counters().outbox_bytes < 2 * 16384u);
    resume_reading();
    settle();
    BOOST_TEST(take_lines().size() + dropped == 2'000u); // what was queued has come
    send(request("1", "echo", "[7]"));
    expect(result("1", "7"));
    group->broadcast("news");
    expect(notification("news"));
}

BOOST_FIXTURE_TEST_CASE(broadcasts_wait_while_the_memory_of_all_sessions_is_used_up, dialogue)
{
    const auto group = std::make_shared<session_group>();
    const auto budget = std::make_shared<memory_budget>(100'000);
    options.budget = budget;
    options.on_start = [group](const std::shared_ptr<session_link>& its) { group->add(its); };
    start();
    settle();
    stop_reading();
    const std::string text(1024, 'x');
    for (int i = 0; i != 100; ++i) {
        group->broadcast("news", args(text));
        settle();
    }
    const std::uint64_t before = server().counters().outbox_bytes;
    budget->add(200'000); // by others
    for (int i = 0; i != 100; ++i) {
        group->broadcast("news", args(text));
        settle();
    }
    BOOST_TEST(server().counters().outbox_bytes <= before + 2048);
    budget->sub(200'000);
    resume_reading();
    settle();
    BOOST_TEST(take_lines().size() == 200u);
}

BOOST_FIXTURE_TEST_CASE(a_real_session_that_does_not_read_is_closed_where_that_is_wanted, dialogue)
{
    const auto group = std::make_shared<session_group>(
        session_group_options{.slow_consumers = slow_consumer::disconnect, .queue_bytes = 20'000});
    options.bounds.outbox_soft_bytes = 16384;
    options.on_start = [group](const std::shared_ptr<session_link>& its) { group->add(its); };
    start();
    settle();
    stop_reading();
    const std::string text(1024, 'x');
    for (int i = 0; i != 1000; ++i) {
        group->broadcast("news", args(text));
        settle();
    }
    resume_reading();
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_TEST(take_lines().size() < 100u);
}

BOOST_FIXTURE_TEST_CASE(what_one_request_can_not_be_sent_is_dropped_for_it_alone, dialogue)
{
    const auto group = std::make_shared<session_group>();
    options.bounds.message_bytes = 2048;
    methods.add("listen", [group](request_context& own) { return group->stream_to(own); });
    send(request("1", "listen"));
    settle();
    group->broadcast("news", args(std::string(4096, 'x')));
    group->broadcast("news", args(1));
    expect(notification("news", "[1]"));
    BOOST_TEST(group->dropped() == 1u);
    BOOST_TEST(group->size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(requests_that_listen_are_bounded_and_leave_room_for_others, dialogue)
{
    const auto group = std::make_shared<session_group>(session_group_options{.max_requests = 2});
    options.bounds.in_flight_requests = 2;
    methods.add("listen", [group](request_context& own) { return group->stream_to(own); });
    methods.add("echo", [](int number) { return number; });
    send(request("1", "listen"));
    send(request("2", "listen"));
    settle();
    BOOST_TEST(group->size() == 2u);
    send(request("3", "echo", "[7]"));
    expect(result("3", "7"));
    send(request("4", "listen"));
    BOOST_TEST(receive().find(R"("id":4,"error":{"code":-31001)") != std::string::npos);
    send(cancel("1"));
    expect(cancelled("1"));
    send(request("5", "listen"));
    settle();
    BOOST_TEST(group->size() == 2u);
    send(notification("listen"));
    settle();
    BOOST_TEST(group->size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_request_is_told_until_it_is_cancelled, dialogue)
{
    const auto group = std::make_shared<session_group>();
    methods.add("listen", [group](request_context& own) { return group->stream_to(own); });
    BOOST_TEST(group->broadcast("before") == 0u);
    send(request("1", "listen"));
    settle();
    BOOST_TEST(group->size() == 1u);
    BOOST_TEST(group->sessions().empty());
    BOOST_TEST(group->broadcast("first", args(1)) == 1u);
    BOOST_TEST(group->broadcast("second") == 1u);
    expect(notification("first", "[1]"));
    expect(notification("second"));
    group->broadcast("third");
    expect(notification("third"));
    send(cancel("1"));
    expect(cancelled("1"));
    BOOST_TEST(group->size() == 0u);
    BOOST_TEST(group->broadcast("after") == 0u);
    expect_silence();
}

BOOST_FIXTURE_TEST_CASE(a_request_is_a_member_before_it_is_awaited_and_outlives_its_group, dialogue)
{
    auto group = std::make_shared<session_group>();
    methods.add("listen", [&](request_context& own) -> task<void> {
        task<void> telling = group->stream_to(own);
        group->broadcast("first");
        group.reset();
        co_await std::move(telling);
    });
    send(request("1", "listen"));
    expect(notification("first"));
    send(cancel("1"));
    expect(cancelled("1"));
}

BOOST_FIXTURE_TEST_CASE(a_request_that_is_never_told_leaves, dialogue)
{
    const auto group = std::make_shared<session_group>();
    methods.add("look", [group](request_context& own) {
        const task<void> unused = group->stream_to(own);
        return group->size();
    });
    send(request("1", "look"));
    expect(result("1", "1"));
    BOOST_TEST(group->size() == 0u);
}

BOOST_FIXTURE_TEST_CASE(the_reply_of_a_plain_handler_goes_before_what_its_group_sends, dialogue)
{
    const auto group = std::make_shared<session_group>();
    methods.add("join", [group](request_context& own) {
        group->add(own.link());
        group->broadcast("news");
    });
    send(request("1", "join"));
    expect(result("1", "null"));
    expect(notification("news"));
}

BOOST_FIXTURE_TEST_CASE(a_request_whose_client_does_not_read_misses_what_finds_no_room, dialogue)
{
    const auto group = std::make_shared<session_group>(session_group_options{.queue_bytes = 10'000});
    options.bounds.outbox_soft_bytes = 4096;
    methods.add("listen", [group](request_context& own) { return group->stream_to(own); });
    send(request("1", "listen"));
    settle();
    stop_reading();
    const std::string text(1000, 'x');
    for (int i = 0; i != 200; ++i) {
        group->broadcast("news", args(text));
        settle();
    }
    const std::uint64_t dropped = group->dropped();
    BOOST_TEST(dropped > 100u);
    resume_reading();
    settle();
    BOOST_TEST(take_lines().size() + dropped == 200u);
    group->broadcast("again");
    expect(notification("again"));
    BOOST_TEST(group->dropped() == dropped);
}

BOOST_FIXTURE_TEST_CASE(a_request_whose_client_does_not_read_ends_where_that_is_wanted, dialogue)
{
    const auto group = std::make_shared<session_group>(
        session_group_options{.slow_consumers = slow_consumer::disconnect, .queue_bytes = 10'000});
    options.bounds.outbox_soft_bytes = 4096;
    methods.add("listen", [group](request_context& own) { return group->stream_to(own); });
    send(request("1", "listen"));
    settle();
    stop_reading();
    const std::string text(1000, 'x');
    for (int i = 0; i != 200; ++i) {
        group->broadcast("news", args(text));
        settle();
    }
    resume_reading();
    settle();
    const std::vector<std::string> lines = take_lines();
    BOOST_REQUIRE(!lines.empty());
    BOOST_TEST(lines.back().find(R"("id":1,"error":{"code":-31001)") != std::string::npos, lines.back());
    BOOST_TEST(group->size() == 0u);
}

BOOST_FIXTURE_TEST_CASE(groups_are_used_by_several_threads, dialogue)
{
    const auto group = std::make_shared<session_group>();
    options.on_start = [group](const std::shared_ptr<session_link>& its) { group->add(its); };
    start();
    settle();
    std::vector<std::thread> tellers;
    for (int i = 0; i != 4; ++i)
        tellers.emplace_back([group] {
            const auto visitor = std::make_shared<played_session>();
            for (int n = 0; n != 200; ++n) {
                group->add(visitor);
                group->broadcast("news", args(n));
                group->remove(visitor);
            }
            visitor->forget();
        });
    for (int i = 0; i != 100; ++i)
        settle(); // it delivers while they tell
    for (std::thread& one : tellers)
        one.join();
    settle();
    BOOST_TEST(take_lines().size() + group->dropped() == 800u);
}

BOOST_AUTO_TEST_SUITE_END()
