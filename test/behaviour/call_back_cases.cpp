#include "cases.hpp"
#include "transport_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

void handlers_call_back_three_deep(transport_fixture& r)
{
    BOOST_TEST(r.ask("descend", {4}) == "result 4"); // we, it, we, it, we
    BOOST_TEST(r.client().counters().requests == 2u);
    BOOST_TEST(r.client().counters().calls == 3u);
}

void both_sides_use_the_same_ids_at_once(transport_fixture& r)
{
    // Ours that have no reply yet, and what of these the server then uses for its own.
    std::set<std::string> open, shared;
    r.options.on_message = [&](const message_event& seen) -> std::optional<error_object> {
        const std::string id(seen.id);
        if (seen.type == message_type::request && seen.direction == message_direction::out)
            open.insert(id);
        else if (seen.type == message_type::reply && seen.direction == message_direction::in)
            open.erase(id);
        else if (seen.type == message_type::request && open.contains(id))
            shared.insert(id);
        return std::nullopt;
    };
    std::vector<outcome> answers(20);
    for (int i = 0; i != 20; ++i) {
        const json::array question{"turn", json::array{i, 20, 0}};
        r.client().call("ask", question)(answers[std::size_t(i)].handler());
    }
    r.run_until([&] { return answers.front().is_there(); });
    for (int i = 0; i != 20; ++i)
        BOOST_TEST(answers[std::size_t(i)].text() == "result \"" + std::to_string(i) + '"');
    BOOST_TEST(shared.size() == 20u);
}

void a_cancelled_request_cancels_what_its_handler_has_called(transport_fixture& r)
{
    outcome asked;
    asio::cancellation_signal signal;
    const json::array question{"hold", nullptr};
    r.client().call("ask", question)(asio::bind_cancellation_slot(signal.slot(), asked.handler()));
    r.run_until([&] { return r.seen->times("held") == 1; });
    signal.emit(asio::cancellation_type::total);
    r.run_until([&] { return r.seen->times("cancelled") == 1; });
    BOOST_TEST(asked.text() == failed(asio::error::operation_aborted));
    BOOST_TEST(r.client().counters().cancelled == 1u);
}

} // namespace

std::vector<behaviour_case> call_back_cases()
{
    return {
        {"handlers_call_back_three_deep", handlers_call_back_three_deep},
        {"both_sides_use_the_same_ids_at_once", both_sides_use_the_same_ids_at_once},
        {"a_cancelled_request_cancels_what_its_handler_has_called",
         a_cancelled_request_cancels_what_its_handler_has_called},
    };
}

} // namespace partyline::test
