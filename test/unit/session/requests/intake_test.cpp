#include "session/output/batch_reply.hpp"
#include "session/output/outlets.hpp"
#include "session/requests/intake.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include <malloc.h>

using namespace partyline;

namespace {

session_options with_budget(std::shared_ptr<memory_budget> budget)
{
    session_options options;
    options.budget = std::move(budget);
    return options;
}

struct no_user final : message_tap::user {
    void on_hook_failed(std::exception_ptr) noexcept override {}
};

struct no_values final : message_reader::params_hint {
    bool wants_value(std::string_view, std::size_t) override { return false; }
};

struct subject {
    explicit subject(session_options how = {}, framing_kind kind = framing_kind::lines)
        : options(std::move(how)), in(make_framing(kind, options.bounds), options, hint, counters), context({}, {}),
          out(context, brackets, tap)
    {
        in.set_stream(out.stream());
    }

    void feed(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const std::span<char> room = in.frames().prepare();
            const std::size_t count = std::min(room.size(), bytes.size());
            bytes.copy(room.data(), count);
            in.frames().commit(count);
            bytes.remove_prefix(count);
        }
    }
    // As the session takes what there is: elements first. Empty when there is nothing.
    std::string take()
    {
        if (!in.next_element(next)) {
            if (in.has_pushed())
                in.take_pushed(next);
            else if (!in.next_message(next))
                return {};
        }
        switch (next.what) {
        case arrival::kind::oversize: return "oversize " + std::string(next.discarded->id);
        case arrival::kind::bad_header: return "bad header";
        case arrival::kind::end_of_batch: in.close_batch(); return "end of batch";
        default: break;
        }
        if (next.envelope->type == message_type::batch) {
            in.open_batch(std::make_shared<batch_reply>(out.stream()));
            return "batch";
        }
        return std::string(next.envelope->method);
    }

    live_counters counters;
    session_options options;
    no_values hint;
    intake in;
    arrival next;
    session_context context;
    no_user nobody;
    message_tap tap{context, nobody};
    line_framing brackets{limits()};
    outlets out;
};

std::string notice(const std::string& method)
{
    return R"({"jsonrpc":"2.0","method":")" + method + "\"}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(intake_suite)

BOOST_AUTO_TEST_CASE(messages_come_one_by_one_as_they_are_whole)
{
    subject s;
    s.feed(notice("a") + '\n' + notice("b") + '\n' + notice("c"));
    BOOST_TEST(s.take() == "a");
    BOOST_TEST(s.next.text == notice("a"));
    BOOST_TEST(s.take() == "b");
    BOOST_TEST(s.take() == "");
    s.feed("\n");
    BOOST_TEST(s.take() == "c");
    BOOST_TEST(s.counters.messages_in.get() == 3u);
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_come_before_what_is_behind_it)
{
    subject s;
    s.feed('[' + notice("a") + ',' + notice("b") + "]\n" + notice("c") + '\n');
    BOOST_TEST(s.take() == "batch");
    BOOST_TEST(bool(s.in.batch()));
    BOOST_TEST(s.take() == "a");
    BOOST_TEST(s.take() == "b");
    BOOST_TEST(s.take() == "end of batch");
    BOOST_TEST(!s.in.batch());
    BOOST_TEST(s.take() == "c");
    BOOST_TEST(s.counters.messages_in.get() == 2u);
}

BOOST_AUTO_TEST_CASE(what_waited_may_be_read_within_a_batch)
{
    subject s;
    s.feed('[' + notice("a") + ',' + notice("b") + "]\n");
    s.take();
    s.take();
    BOOST_TEST(s.in.read_again(notice("waited")).method == "waited");
    BOOST_TEST(s.take() == "b");
}

BOOST_AUTO_TEST_CASE(the_rest_of_a_batch_may_be_dropped_and_the_next_one_is_taken)
{
    subject s;
    s.feed('[' + notice("a") + ',' + notice("b") + "]\n[" + notice("c") + "]\n");
    s.take();
    BOOST_TEST(s.take() == "a");
    s.in.drop_rest_of_batch();
    BOOST_TEST(s.take() == "end of batch");
    BOOST_TEST(s.take() == "batch");
    BOOST_TEST(s.take() == "c");
}

BOOST_AUTO_TEST_CASE(what_is_too_long_is_known_by_its_id)
{
    session_options options;
    options.bounds.message_bytes = 100;
    subject s(std::move(options));
    s.feed(R"({"jsonrpc":"2.0","method":"a","params":[")" + std::string(200, 'x') + "\"],\"id\":7}\n" + notice("b") +
           '\n');
    BOOST_TEST(s.take() == "oversize 7");
    BOOST_TEST(!s.in.was_given_up(*s.next.discarded));
    const error_object error = s.in.oversize_error(*s.next.discarded);
    BOOST_TEST(error.code == error_codes::invalid_request);
    BOOST_TEST(s.take() == "b");
}

BOOST_AUTO_TEST_CASE(a_broken_header_is_told)
{
    subject s({}, framing_kind::content_length);
    s.feed("no colon\r\n\r\n");
    BOOST_TEST(s.take() == "bad header");
    BOOST_TEST(s.next.discarded->is_broken);
}

BOOST_AUTO_TEST_CASE(a_message_under_way_counts_until_it_is_whole)
{
    const auto budget = std::make_shared<memory_budget>(std::size_t(1) << 20);
    subject s(with_budget(budget));
    const std::string text = notice(std::string(100'000, 'a'));
    s.feed(text);
    BOOST_TEST(s.take() == "");
    BOOST_TEST(budget->used() == text.size());
    s.feed("\n");
    BOOST_TEST(s.take().size() == 100'000u);
    BOOST_TEST(budget->used() == 0u);
}

BOOST_AUTO_TEST_CASE(a_short_message_under_way_is_never_given_up)
{
    const auto budget = std::make_shared<memory_budget>(std::size_t(1) << 20);
    subject s(with_budget(budget));
    budget->add(budget->limit());
    const std::string text = notice(std::string(60'000, 'a')) + '\n';
    s.feed(text.substr(0, 50'000));
    BOOST_TEST(s.take() == "");
    s.feed(text.substr(50'000));
    BOOST_TEST(s.take().size() == 60'000u);
}

BOOST_AUTO_TEST_CASE(one_of_just_the_limit_that_is_given_up_is_not_called_too_long)
{
    session_options options = with_budget(std::make_shared<memory_budget>(std::size_t(1) << 20));
    const std::string text = notice(std::string(100'000, 'a'));
    options.bounds.message_bytes = text.size();
    subject s(options);
    options.budget->add(options.budget->limit());
    s.feed(text.substr(0, 90'000));
    BOOST_TEST(s.take() == "");
    s.feed(text.substr(90'000) + '\n');
    BOOST_TEST(s.take() == "oversize ");
    BOOST_TEST(s.in.was_given_up(*s.next.discarded));
}

// Each of many idle sessions would keep its last message, which nobody counts.
BOOST_AUTO_TEST_CASE(a_message_that_was_handed_in_is_not_kept_when_it_has_been_served)
{
    const auto in_use = [] { // nothing under a sanitizer
        const auto known = ::mallinfo2();
        return known.uordblks + known.hblkhd;
    };
    subject s;
    const std::size_t before = in_use();
    s.in.push(notice(std::string(4'000'000, 'a')), s.out.stream());
    BOOST_TEST(s.take().size() == 4'000'000u);
    BOOST_TEST(s.take() == "");
    BOOST_TEST(in_use() < before + 1'000'000);
}

// It costs its peer nothing: half of what there is stays for those who get their requests served.
BOOST_AUTO_TEST_CASE(a_long_message_under_way_is_given_up_where_half_of_the_budget_is_used)
{
    const auto budget = std::make_shared<memory_budget>(std::size_t(1) << 20);
    subject s(with_budget(budget));
    budget->add(budget->limit() / 2);
    s.feed(R"({"jsonrpc":"2.0","id":5,"method":"a","params":[")" + std::string(100'000, 'x'));
    BOOST_TEST(s.take() == "");
    BOOST_TEST(budget->used() == budget->limit() / 2);
    s.feed("\"]}\n" + notice("short") + '\n');
    BOOST_TEST(s.take() == "oversize 5");
    BOOST_TEST(s.in.was_given_up(*s.next.discarded));
    BOOST_TEST(s.in.oversize_error(*s.next.discarded).code == -31001);
    BOOST_TEST(s.counters.busy.get() == 1u);
    BOOST_TEST(s.take() == "short");
}

struct no_driver final : outlet::user {
    void flush() override {}
};

BOOST_AUTO_TEST_CASE(messages_that_are_handed_in_come_first_and_know_by_which_outlet)
{
    subject s;
    no_driver driver;
    outlet& other = s.out.open(s.brackets, driver);
    s.feed(notice("a") + '\n');
    s.in.push('[' + notice("b") + ',' + notice("c") + ']', other);
    s.in.push(notice("d"), other);
    BOOST_TEST(s.in.pushed_bytes() != 0u);
    for (const char* expected : {"batch", "b", "c", "end of batch", "d"}) {
        BOOST_TEST(s.take() == expected);
        BOOST_TEST(&s.in.via() == &other);
    }
    BOOST_TEST(s.in.pushed_bytes() == 0u);
    BOOST_TEST(s.take() == "a");
    BOOST_TEST(&s.in.via() == &s.out.stream());
}

BOOST_AUTO_TEST_CASE(what_was_handed_in_by_one_outlet_can_be_dropped)
{
    subject s;
    no_driver driver;
    outlet& a = s.out.open(s.brackets, driver);
    outlet& b = s.out.open(s.brackets, driver);
    s.in.push(notice("1"), a);
    s.in.push(notice("2"), b);
    s.in.push(notice("3"), a);
    BOOST_TEST(s.in.drop_pushed(a) == 2u);
    BOOST_TEST(s.in.pushed_bytes() == notice("2").size());
    BOOST_TEST(s.take() == "2");
    BOOST_TEST(!s.in.has_pushed());
}

BOOST_AUTO_TEST_CASE(what_was_handed_in_counts_with_what_sessions_share)
{
    session_options options;
    options.budget = std::make_shared<memory_budget>(1000);
    subject s(options);
    no_driver driver;
    outlet& a = s.out.open(s.brackets, driver);
    const std::size_t size = notice("1").size();
    for (const char* name : {"1", "2", "3"})
        s.in.push(notice(name), a);
    BOOST_TEST(options.budget->used() == 3 * size);
    BOOST_TEST(s.counters.bytes_in.get() == 3 * size);
    s.take();
    BOOST_TEST(options.budget->used() == 2 * size);
    BOOST_TEST(&s.in.drop_pushed() == &a);
    BOOST_TEST(options.budget->used() == size);
    s.in.drop_pushed(a);
    BOOST_TEST(options.budget->used() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
