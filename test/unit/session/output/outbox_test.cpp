#include "session/output/outbox.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using partyline::limits;
using partyline::line_framing;
using partyline::live_counters;
using partyline::outbox;

namespace {

struct fixture {
    live_counters counts;
    line_framing frames{limits()};
    outbox box{frames, outbox::marks{20, 100}, counts}; // full from 75 on

    void say(std::size_t bytes) { say(box, bytes); }

    // With its newline.
    static void say(outbox& to, std::size_t bytes) { write(to, std::string(bytes - 1, 'x')); }

    static void write(outbox& to, std::string_view text)
    {
        outbox::message message(to);
        message.buffer().append(text);
        message.commit();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(outbox_suite, fixture)

BOOST_AUTO_TEST_CASE(messages_leave_framed_and_in_order)
{
    write(box, "one");
    BOOST_TEST(box.unsent() == "one\n");
    write(box, "two");
    BOOST_TEST(box.unsent() == "one\n"); // stays where it is while it is being sent
    box.sent(2);
    BOOST_TEST(box.unsent() == "e\n");
    box.sent(2);
    BOOST_TEST(box.unsent() == "two\n");
    BOOST_TEST(!box.empty());
    box.sent(4);
    BOOST_TEST(box.unsent() == "");
    BOOST_TEST(box.empty());
}

BOOST_AUTO_TEST_CASE(what_has_nothing_to_send_gives_its_memory_to_the_next_one)
{
    outbox other(frames, outbox::marks{20, 100}, counts);
    say(10);
    const char* const memory = box.unsent().data();
    box.release_memory();
    BOOST_TEST(box.unsent() == "xxxxxxxxx\n"); // that is still to be sent
    box.sent(10);
    box.release_memory();
    say(other, 10);
    BOOST_TEST(static_cast<const void*>(other.unsent().data()) == memory);
    write(box, "one");
    BOOST_TEST(box.unsent() == "one\n");
}

BOOST_AUTO_TEST_CASE(it_tells_how_much_is_unsent_and_the_longest_message_since_it_was_asked)
{
    say(10);
    say(30);
    say(20);
    BOOST_TEST(box.unsent_bytes() == 60u);
    BOOST_TEST(box.take_longest() == 30u);
    BOOST_TEST(box.take_longest() == 0u);
    box.unsent();
    box.sent(25);
    say(5);
    BOOST_TEST(box.unsent_bytes() == 40u);
    BOOST_TEST(box.take_longest() == 5u);
}

BOOST_AUTO_TEST_CASE(its_marks_follow_what_has_not_been_sent)
{
    say(19);
    BOOST_TEST(!box.is_above_soft());
    say(1);
    BOOST_TEST(box.is_above_soft());
    say(54);
    BOOST_TEST(!box.is_full());
    say(1);
    BOOST_TEST(box.is_full());
    say(24);
    BOOST_TEST(!box.is_at_cap());
    say(1);
    BOOST_TEST(box.is_at_cap());
    box.unsent();
    box.sent(1);
    BOOST_TEST(!box.is_at_cap());
    box.sent(25);
    BOOST_TEST(!box.is_full());
    box.sent(55);
    BOOST_TEST(!box.is_above_soft());
}

BOOST_AUTO_TEST_CASE(the_message_that_made_it_full_takes_nothing_of_what_is_reserved)
{
    say(74);
    say(1000);
    BOOST_TEST(box.is_full());
    BOOST_TEST(!box.is_at_cap());
    say(24);
    BOOST_TEST(!box.is_at_cap());
    say(1);
    BOOST_TEST(box.is_at_cap());

    box.unsent();
    box.sent(1050); // 49 are left
    say(26);
    BOOST_TEST(box.is_full());
    say(24);
    BOOST_TEST(!box.is_at_cap());
    say(1);
    BOOST_TEST(box.is_at_cap()); // at 100 again
}

BOOST_AUTO_TEST_CASE(the_soft_mark_is_never_above_the_full_one)
{
    outbox late(frames, outbox::marks{1000, 100}, counts);
    say(late, 74);
    BOOST_TEST(!late.is_above_soft());
    say(late, 1);
    BOOST_TEST(late.is_above_soft());
}

BOOST_AUTO_TEST_CASE(what_is_held_for_batches_counts_but_alone_never_makes_it_full)
{
    box.hold(200);
    BOOST_TEST(!box.is_at_cap()); // the peer could do nothing about it
    BOOST_TEST(box.is_held_full());
    say(1);
    BOOST_TEST(box.is_full());
    BOOST_TEST(!box.is_at_cap()); // refusals have their room still
    say(25);
    BOOST_TEST(box.is_at_cap());
    box.release(160);
    BOOST_TEST(!box.is_held_full());
    BOOST_TEST(!box.is_full());
    BOOST_TEST(box.is_above_soft());
}

BOOST_AUTO_TEST_CASE(it_counts_what_passes)
{
    say(10);
    say(20);
    box.hold(5);
    box.unsent();
    box.sent(30);
    const partyline::session_counters now = counts.snapshot();
    BOOST_TEST(now.messages_out == 2u);
    BOOST_TEST(now.bytes_out == 30u);
    BOOST_TEST(now.outbox_bytes == 5u);
    BOOST_TEST(now.peak_outbox_bytes == 35u);
}

BOOST_AUTO_TEST_CASE(its_memory_is_given_back)
{
    say(8 << 20);
    box.unsent();
    box.sent(8 << 20);
    BOOST_TEST(box.unsent().empty());
    outbox::message next(box);
    BOOST_TEST(next.buffer().capacity() <= 1u << 20);
}

BOOST_AUTO_TEST_CASE(a_message_that_is_not_committed_is_taken_back)
{
    write(box, "one");
    {
        outbox::message unfinished(box);
        unfinished.buffer().append("half of");
    }
    write(box, "two");
    BOOST_TEST(box.unsent() == "one\ntwo\n");
    BOOST_TEST(counts.snapshot().messages_out == 2u);
}

BOOST_AUTO_TEST_CASE(kept_replies_count_with_what_waits_but_fill_nothing)
{
    say(10);
    box.keep(90);
    BOOST_TEST(counts.snapshot().outbox_bytes == 100u);
    BOOST_TEST(!box.is_full());
    BOOST_TEST(box.kept() == 90u);
    box.drop_kept(90);
    BOOST_TEST(counts.snapshot().outbox_bytes == 10u);
}

// rule: security.memory.one_at_a_time
BOOST_AUTO_TEST_CASE(a_budget_that_others_have_used_up_leaves_room_for_one_short_message_at_a_time)
{
    partyline::memory_budget shared(1000);
    outbox own(frames, outbox::marks{1000, 4000}, counts, &shared);
    BOOST_TEST(own.left_by_others() == partyline::memory_budget::always);
    shared.add(1000);
    BOOST_TEST(!own.is_full()); // it holds nothing
    say(own, 10);
    BOOST_TEST(shared.used() == 1010u);
    BOOST_TEST(own.is_full());
    shared.sub(1000);
    BOOST_TEST(!own.is_full());
    own.unsent();
    own.sent(10);
    BOOST_TEST(shared.used() == 0u);
}

BOOST_AUTO_TEST_CASE(an_outbox_gives_its_share_back_when_it_goes)
{
    partyline::memory_budget shared(1000);
    {
        outbox own(frames, outbox::marks{1000, 4000}, counts, &shared);
        say(own, 10);
        own.keep(20);
        own.hold(30);
        BOOST_TEST(shared.used() == 60u);
    }
    BOOST_TEST(shared.used() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
