#include "session/output/outlets.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/session/handler.hpp>

#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace json = boost::json;
using namespace partyline;

namespace {

struct no_user final : message_tap::user {
    void on_hook_failed(std::exception_ptr) noexcept override {}
};

struct speaker final : notification_source {
    explicit speaker(std::deque<std::string> what) : words(std::move(what)) {}

    const incoming_request& subject() const noexcept override { return about; }
    bool take_unsent(notification_text& out) override
    {
        if (words.empty())
            return false;
        out = {words.front(), {}, false};
        words.pop_front();
        return true;
    }
    void on_unsent_taken() override { ++taken; }

    std::deque<std::string> words;
    incoming_request about;
    int taken = 0;
};

session_options with_small_outbox()
{
    session_options options;
    options.bounds.outbox_soft_bytes = 100;
    options.bounds.outbox_hard_bytes = 1000;
    return options;
}

struct fixture {
    fixture() : context({}, with_small_outbox()), frames(make_framing(framing_kind::lines, context.options.bounds)) {}

    // The methods of what the peer reads now.
    std::vector<std::string> read()
    {
        std::vector<std::string> names;
        std::string text(out.unsent());
        out.sent(text.size());
        const std::string before = "\"method\":\"";
        for (std::size_t at = text.find(before); at != text.npos; at = text.find(before, at)) {
            at += before.size();
            names.push_back(text.substr(at, text.find('"', at) - at));
        }
        return names;
    }
    void fill()
    {
        while (!out.is_full())
            out.writer().notification("filler", {}, nullptr);
    }

    no_user nobody;
    session_context context;
    std::unique_ptr<framing> frames;
    message_tap tap{context, nobody};
    outlets all{context, *frames, tap};
    outlet& out = all.stream();
    method callee{"m", {}, nullptr, false};
};

using names = std::vector<std::string>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(outlet_suite, fixture)

BOOST_AUTO_TEST_CASE(sources_are_asked_in_turn)
{
    speaker first({"a1", "a2"});
    speaker second({"b1"});
    out.offer(first);
    out.offer(second);
    out.offer(first); // stands there already
    BOOST_TEST(out.send_notifications());
    BOOST_TEST(read() == (names{"a1", "b1", "a2"}), boost::test_tools::per_element());
    BOOST_TEST(first.taken == 2);
    BOOST_TEST(!out.send_notifications());
}

BOOST_AUTO_TEST_CASE(they_are_asked_only_while_there_is_room)
{
    speaker one({"a1", "a2"});
    out.writer().notification(std::string(100, 'x'), {}, nullptr);
    out.offer(one);
    BOOST_TEST(!out.send_notifications());
    BOOST_TEST(one.words.size() == 2u);
    read();
    BOOST_TEST(out.send_notifications());
}

BOOST_AUTO_TEST_CASE(one_that_goes_away_is_not_asked)
{
    {
        speaker gone({"a1"});
        out.offer(gone);
    }
    BOOST_TEST(!out.send_notifications());
}

BOOST_AUTO_TEST_CASE(what_a_handler_did_not_wait_for_goes_whether_or_not_there_is_room)
{
    speaker one({"a1", "a2"});
    fill();
    out.send_all(one);
    BOOST_TEST(one.words.empty());
    BOOST_TEST(one.taken == 0); // nobody waits
}

BOOST_AUTO_TEST_CASE(a_kept_reply_goes_behind_the_notifications_of_its_handler)
{
    speaker one({"a1"});
    incoming_request done;
    done.id.assign("\"an id that is long enough to need memory\"", "an id that is long enough to need memory");
    done.callee = &callee;
    fill();
    outlet::kept_replies kept = out.make_kept(done, {}, &one);
    BOOST_TEST(!out.answer(kept.front(), json::value("reply")).has_value());
    BOOST_TEST(!out.has_kept()); // not before it is whole
    out.keep(std::move(kept));
    BOOST_TEST(out.kept() != 0u);
    read();
    out.send_kept(out.take_kept().front());
    BOOST_TEST(!out.has_kept());
    BOOST_TEST(out.kept() == 0u);
    const std::string sent(out.unsent());
    BOOST_TEST(
        sent ==
        "{\"jsonrpc\":\"2.0\",\"method\":\"a1\"}\n{\"jsonrpc\":\"2.0\",\"id\":\"an id that is long enough to need "
        "memory\",\"result\":\"reply\"}\n");
}

BOOST_AUTO_TEST_CASE(kept_replies_go_in_the_order_of_their_handlers_ends)
{
    for (const char* id : {"1", "2", "3"}) {
        incoming_request done;
        done.callee = &callee;
        done.id.assign(id, id);
        outlet::kept_replies kept = out.make_kept(done, {}, nullptr);
        out.answer(kept.front(), json::value(nullptr));
        out.keep(std::move(kept));
    }
    while (out.has_kept())
        out.send_kept(out.take_kept().front());
    const std::string sent(out.unsent());
    BOOST_TEST(sent.find("\"id\":1") < sent.find("\"id\":2"));
    BOOST_TEST(sent.find("\"id\":2") < sent.find("\"id\":3"));
}

BOOST_AUTO_TEST_CASE(a_notification_that_has_ended_has_no_reply_to_send)
{
    speaker one({"a1"});
    incoming_request done;
    done.callee = &callee;
    outlet::kept_replies kept = out.make_kept(done, {}, &one);
    out.keep(std::move(kept));
    out.send_kept(out.take_kept().front());
    BOOST_TEST(read() == (names{"a1"}), boost::test_tools::per_element());
    BOOST_TEST(out.empty());
}

BOOST_AUTO_TEST_CASE(a_result_that_is_no_json_is_no_result_for_the_peer)
{
    incoming_request to;
    to.id.assign("1", "1");
    BOOST_TEST(!out.answer(to, json::value(1)).has_value());
    BOOST_TEST((out.answer(to, json::value(std::numeric_limits<double>::infinity())) == error_codes::internal_error));
    BOOST_TEST((out.answer(to, error_object{1, "no", {}}) == 1));
}

struct no_driver final : outlet::user {
    void flush() override {}
};

BOOST_AUTO_TEST_CASE(one_that_was_released_goes_away_when_nothing_belongs_to_it)
{
    no_driver driver;
    outlet& busy = all.open(*frames, driver);
    outlet& idle = all.open(*frames, driver);
    incoming_request late;
    busy.enter(late);
    all.release(busy);
    all.release(idle);
    while (all.take_busy()) {
    }
    BOOST_TEST(all.has_others());
    busy.leave(late);
    while (all.take_busy()) {
    }
    BOOST_TEST(!all.has_others());
    all.destroy_ended();
}

BOOST_AUTO_TEST_CASE(what_is_written_to_one_that_was_released_is_dropped)
{
    no_driver driver;
    auto own_frames = make_framing(framing_kind::content_length, context.options.bounds);
    outlet& gone = all.open(*own_frames, driver);
    gone.add_use();
    gone.writer().notification("before", {}, nullptr);
    all.release(gone);
    own_frames.reset();
    gone.writer().notification("after", {}, nullptr);
    BOOST_TEST(gone.unsent() == "");
    BOOST_TEST(context.counters.outbox_bytes.get() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_being_written_to_one_while_it_is_released_is_dropped)
{
    no_driver driver;
    outlet& gone = all.open(*frames, driver);
    gone.add_use();
    gone.writer().notification("before", {}, nullptr);
    {
        outbox::message half(gone);
        half.buffer().append("{}");
        all.release(gone);
        half.commit();
    }
    BOOST_TEST(gone.unsent() == "");
    BOOST_TEST(context.counters.outbox_bytes.get() == 0u);
}

BOOST_AUTO_TEST_CASE(others_have_a_quarter_of_the_marks_each)
{
    no_driver driver;
    outlet& one = all.open(*frames, driver); // hard: 250
    outlet& other = all.open(*frames, driver);
    one.writer().notification(std::string(200, 'x'), {}, nullptr);
    BOOST_TEST(one.is_full());
    BOOST_TEST(!other.is_full());
    BOOST_TEST(!out.is_full());
    BOOST_TEST(one.number() == 1u);
    BOOST_TEST(other.number() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
