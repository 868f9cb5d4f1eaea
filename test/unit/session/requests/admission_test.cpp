#include "session/requests/admission.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <variant>

namespace json = boost::json;
using namespace partyline;

namespace {

// Rules whatever it is told to, and notes what it has heard.
struct scripted_lifecycle final : lifecycle {
    ruling on_request(const message&, message_reader&) override { return ++asked, next; }
    ruling on_notification(const message&, message_reader&) override { return ++asked, next; }
    bool allows_batches() const override { return takes_batches; }
    bool answers() const override { return is_answering; }
    void on_answered(const answer_given& how) override
    {
        constexpr const char* outcomes[] = {" ", "! ", "? "};
        answered.append(how.id).append(how.method).append(outcomes[static_cast<int>(how.outcome)]);
    }

    ruling next;
    bool takes_batches = true;
    bool is_answering = true;
    int asked = 0;
    std::string answered;
};

struct scripted_protocol final : profile {
    std::shared_ptr<lifecycle> make_lifecycle() const override { return std::make_shared<scripted_lifecycle>(); }
};

struct strict_protocol final : profile {
    strict_protocol()
    {
        allows_batches = false;
        allows_null_and_fraction_ids = false;
        allows_array_params = false;
    }
};

const scripted_protocol scripted_profile;
const strict_protocol strict_profile;

ruling decided(ruling_action what)
{
    ruling by;
    by.action = what;
    return by;
}

struct subject {
    explicit subject(session_options options = {})
        : context({}, std::move(options)), methods(std::make_shared<method_table>()), door(context, methods),
          reader(context.options.bounds)
    {
        methods->add("echo", [](json::value params) { return params; });
        methods->add_notification("noted", [] {});
        method_options alone;
        alone.max_concurrent = 1;
        methods->add("one at a time", [](json::value params) { return params; }, alone);
    }

    decision decide(std::string text, bool is_id_taken = false)
    {
        last = std::move(text);
        return door.decide(reader.read(last), reader, last.size(), is_id_taken, pressure);
    }
    profile_ruling rule(std::string text, bool is_id_taken = false)
    {
        last = std::move(text);
        return door.rule(reader.read(last), reader, is_id_taken);
    }
    scripted_lifecycle& rules() { return static_cast<scripted_lifecycle&>(*context.lifecycle); }

    session_context context;
    std::shared_ptr<method_table> methods;
    admission door;
    message_reader reader;
    output_pressure pressure;
    std::string last;
};

session_options with(const profile& protocol)
{
    session_options options;
    options.profile = &protocol;
    return options;
}

session_options with_little_room()
{
    session_options options;
    options.bounds.waiting_requests = 1;
    return options;
}

template <class Kind>
bool is(const decision& what)
{
    if constexpr (std::is_same_v<Kind, decisions::run>) {
        return std::holds_alternative<Kind>(what);
    } else {
        const auto* const other = std::get_if<decisions::other>(&what);
        return other && std::holds_alternative<Kind>(*other);
    }
}

template <class Kind>
const Kind& as(const decision& what)
{
    return std::get<Kind>(std::get<decisions::other>(what));
}

int code_of(const decision& what)
{
    return as<decisions::refuse>(what).error.code;
}

const std::string echo = R"({"jsonrpc":"2.0","id":"a","method":"echo"})";
const std::string noted = R"({"jsonrpc":"2.0","method":"noted"})";

} // namespace

BOOST_AUTO_TEST_SUITE(admission_suite)

BOOST_AUTO_TEST_CASE(what_there_is_a_method_and_room_for_runs)
{
    subject s;
    const decision request = s.decide(echo);
    BOOST_TEST_REQUIRE(is<decisions::run>(request));
    BOOST_TEST(std::get<decisions::run>(request).target->name == "echo");
    BOOST_TEST(is<decisions::run>(s.decide(noted)));
    BOOST_TEST(s.context.counters.requests.get() == 1u);
    BOOST_TEST(s.context.counters.notifications.get() == 1u);
}

BOOST_AUTO_TEST_CASE(a_long_value_is_wanted_for_what_is_to_start_only)
{
    constexpr std::size_t few = 4096;
    session_options options;
    options.bounds.in_flight_requests = 1;
    subject s(options);
    s.methods->add("raw", [](json_view params) { return params; });
    s.methods->add("nothing", [] {});
    BOOST_TEST(s.door.wants_value("echo", few));
    BOOST_TEST(s.door.wants_value("echo", 1'000'000));
    for (const char* const name : {"raw", "nothing", "nobody"})
        BOOST_TEST(!s.door.wants_value(name, 1), name);
    const method_options& running = s.methods->find("echo")->options;
    s.door.queue().on_start({&running, 1});
    BOOST_TEST(s.door.wants_value("echo", few));
    BOOST_TEST(!s.door.wants_value("echo", few + 1));
    s.door.queue().on_end({&running, 1});
    BOOST_TEST(s.door.wants_value("echo", few + 1));
}

// rule: jsonrpc.error.method_not_found
BOOST_AUTO_TEST_CASE(what_there_is_no_method_for_is_answered_or_dropped)
{
    subject s;
    const decision unknown = s.decide(R"({"jsonrpc":"2.0","id":1,"method":"nobody"})");
    BOOST_TEST(code_of(unknown) == error_codes::method_not_found);
    BOOST_TEST(as<decisions::refuse>(unknown).id == "1");
    BOOST_TEST(as<decisions::refuse>(unknown).is_of_request);
    BOOST_TEST(code_of(s.decide(R"({"jsonrpc":"2.0","id":1,"method":"noted"})")) == error_codes::method_not_found);
    BOOST_TEST(is<decisions::ignore>(s.decide(R"({"jsonrpc":"2.0","method":"nobody"})")));
    BOOST_TEST(s.context.counters.dropped.get() == 1u);
}

BOOST_AUTO_TEST_CASE(an_id_in_flight_is_refused_without_an_id)
{
    subject s;
    const decision twice = s.decide(echo, true);
    BOOST_TEST(code_of(twice) == error_codes::invalid_request);
    BOOST_TEST(as<decisions::refuse>(twice).id == "");
    BOOST_TEST(!as<decisions::refuse>(twice).is_of_request); // the first one has its answer to come
}

BOOST_AUTO_TEST_CASE(a_cancel_names_the_key_of_an_id)
{
    subject s;
    const decision by_text = s.decide(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"\u0061"}})");
    BOOST_TEST_REQUIRE(is<decisions::cancel_request>(by_text));
    const std::string key(as<decisions::cancel_request>(by_text).key);
    BOOST_TEST(key == s.reader.read(echo).id_key);
    BOOST_TEST(is<decisions::ignore>(s.decide(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}})")));
    BOOST_TEST(code_of(s.decide(R"({"jsonrpc":"2.0","id":1,"method":"$/cancelRequest","params":{"id":1}})")) ==
               error_codes::method_not_found);
}

// rule: jsonrpc.error.parse, jsonrpc.error.invalid_request
BOOST_AUTO_TEST_CASE(what_is_no_message_is_answered_with_its_id)
{
    subject s;
    const decision bad = s.decide(R"({"jsonrpc":"1.0","id":7,"method":"echo"})");
    BOOST_TEST(code_of(bad) == error_codes::invalid_request);
    BOOST_TEST(as<decisions::refuse>(bad).id == "7");
    BOOST_TEST(code_of(s.decide("{")) == error_codes::parse_error);
}

BOOST_AUTO_TEST_CASE(without_room_it_waits_while_it_may_and_is_busy_then)
{
    subject s(with_little_room());
    s.pressure.has_called = true; // so that it refuses also while the peer does not read
    s.pressure.is_full = true;
    BOOST_TEST(is<decisions::wait>(s.decide(echo)));
    method_options plain;
    s.door.queue().wait({&plain, 1}, "x");
    BOOST_TEST(code_of(s.decide(echo)) == -31001);
    BOOST_TEST(is<decisions::overload_of_notification>(s.decide(noted)));
    BOOST_TEST(s.context.counters.busy.get() == 1u);
    s.pressure.is_at_cap = true;
    BOOST_TEST(is<decisions::wait>(s.decide(echo))); // there is no room for a refusal either
}

BOOST_AUTO_TEST_CASE(one_that_only_serves_waits_for_its_peer_to_read)
{
    subject s(with_little_room());
    method_options plain;
    s.door.queue().wait({&plain, 1}, "x");
    s.pressure.is_full = true;
    BOOST_TEST(is<decisions::wait>(s.decide(echo)));
    BOOST_TEST(s.door.must_pause(s.pressure));
    s.pressure.has_called = true;
    BOOST_TEST(!s.door.must_pause(s.pressure));
    s.pressure.is_at_cap = true;
    BOOST_TEST(s.door.must_pause(s.pressure));
}

BOOST_AUTO_TEST_CASE(where_nothing_is_to_be_lost_it_pauses_instead)
{
    session_options options = with_little_room();
    options.on_overload = overload::pause;
    subject s(std::move(options));
    method_options plain;
    BOOST_TEST(!s.door.must_pause(s.pressure));
    s.door.queue().wait({&plain, 1}, "x");
    BOOST_TEST(s.door.must_pause(s.pressure));
    s.pressure.is_full = true;
    BOOST_TEST(is<decisions::wait>(s.decide(echo)));
}

BOOST_AUTO_TEST_CASE(a_batch_is_opened_unless_too_much_waits_for_batches)
{
    subject s;
    BOOST_TEST(is<decisions::open_batch>(s.decide('[' + echo + ']')));
    s.pressure.is_held_full = true;
    BOOST_TEST(is<decisions::refuse_batch>(s.decide('[' + echo + ']')));
    BOOST_TEST(s.context.counters.busy.get() == 1u);
    s.pressure.is_full = true; // there is no room for a refusal either
    BOOST_TEST(is<decisions::open_batch>(s.decide('[' + echo + ']')));
}

BOOST_AUTO_TEST_CASE(what_the_hook_refuses_is_answered_or_dropped)
{
    subject s;
    const error_object no{7, "no", {}};
    const decision request = s.door.refuse(s.reader.read(echo), no);
    BOOST_TEST(code_of(request) == 7);
    BOOST_TEST(as<decisions::refuse>(request).id == "\"a\"");
    BOOST_TEST(is<decisions::ignore>(s.door.refuse(s.reader.read(noted), no)));
    BOOST_TEST(s.context.counters.requests.get() == 1u);
    BOOST_TEST(s.context.counters.dropped.get() == 1u);
}

BOOST_AUTO_TEST_CASE(a_plain_profile_has_no_rules)
{
    BOOST_TEST(!subject().door.has_rules());
    BOOST_TEST(subject(with(strict_profile)).door.has_rules());
    BOOST_TEST(subject(with(scripted_profile)).door.has_rules());
}

BOOST_AUTO_TEST_CASE(a_profile_may_have_neither_batches_nor_odd_ids)
{
    subject s(with(strict_profile));
    BOOST_TEST(code_of(s.rule('[' + echo + ']').instead.value()) == error_codes::invalid_request);
    const decision odd = s.rule(R"({"jsonrpc":"2.0","id":null,"method":"echo"})").instead.value();
    BOOST_TEST(code_of(odd) == error_codes::invalid_request);
    BOOST_TEST(as<decisions::refuse>(odd).id == "");
    BOOST_TEST(!s.rule(echo).instead.has_value());
    BOOST_TEST(!s.rule(noted).instead.has_value());
}

BOOST_AUTO_TEST_CASE(a_lifecycle_is_asked_about_each_message_whose_id_is_free)
{
    subject s(with(scripted_profile));
    s.rule(echo);
    s.rule(noted);
    BOOST_TEST(s.rules().asked == 2);
    s.rule(echo, true);
    BOOST_TEST(s.rules().asked == 2);
}

BOOST_AUTO_TEST_CASE(a_lifecycle_may_refuse_drop_and_end)
{
    subject s(with(scripted_profile));
    s.rules().next = decided(ruling_action::refuse);
    s.rules().next.error = {-32002, "not yet", {}};
    BOOST_TEST(code_of(s.rule(echo).instead.value()) == -32002);
    BOOST_TEST(is<decisions::ignore>(s.rule(noted).instead.value()));
    s.rules().next = decided(ruling_action::drop);
    BOOST_TEST(is<decisions::ignore>(s.rule(noted).instead.value()));
    BOOST_TEST(code_of(s.rule(echo).instead.value()) == error_codes::invalid_request); // it waits for an answer
    s.rules().next = decided(ruling_action::end);
    s.rules().next.end_result = errc::exit_without_shutdown;
    const decision end = s.rule(noted).instead.value();
    BOOST_TEST(as<decisions::end_session>(end).result == error_code(errc::exit_without_shutdown));
}

BOOST_AUTO_TEST_CASE(array_params_may_be_refused)
{
    subject s(with(strict_profile));
    const decision no = s.rule(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})").instead.value();
    BOOST_TEST(code_of(no) == error_codes::invalid_params);
    BOOST_TEST(as<decisions::refuse>(no).id == "1");
    const profile_ruling dropped = s.rule(R"({"jsonrpc":"2.0","method":"noted","params":[1]})");
    BOOST_TEST(is<decisions::ignore>(dropped.instead.value()));
    BOOST_TEST(dropped.log_line == "dropped the notification \"noted\": its params are an array");
    BOOST_TEST(!s.rule(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}})").instead.has_value());
}

BOOST_AUTO_TEST_CASE(a_lifecycle_says_when_there_may_be_batches)
{
    subject s(with(scripted_profile));
    BOOST_TEST(!s.rule('[' + echo + ']').instead.has_value());
    s.rules().takes_batches = false;
    BOOST_TEST(code_of(s.rule('[' + echo + ']').instead.value()) == error_codes::invalid_request);
}

BOOST_AUTO_TEST_CASE(where_nothing_is_answered_what_asks_for_it_is_dropped)
{
    subject s(with(scripted_profile));
    s.rules().is_answering = false;
    for (const std::string& text : {echo, std::string(R"({"jsonrpc":"2.0","id":null,"method":"echo"})"),
                                    std::string("{"), std::string("{}"), std::string("[]")})
        BOOST_TEST(is<decisions::ignore>(s.rule(text).instead.value()), text);
    BOOST_TEST(is<decisions::ignore>(s.rule(echo, true).instead.value()));
    BOOST_TEST(s.rule(echo).log_line == "dropped what is not answered in this protocol: the request \"echo\"");
    BOOST_TEST(is<decisions::ignore>(s.door.refuse(s.reader.read(echo), {7, "no", {}})));
    BOOST_TEST(s.rules().asked == 0);
    BOOST_TEST(s.context.counters.dropped.get() == 8u);
    BOOST_TEST(!s.rule(noted).instead.has_value());
    BOOST_TEST(!s.rule('[' + echo + ']').instead.has_value()); // replies may be in it
}

BOOST_AUTO_TEST_CASE(a_lifecycle_answers_with_any_value)
{
    const std::string shutdown = R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})";
    subject s(with(scripted_profile));
    s.rules().next = decided(ruling_action::answer);
    s.rules().next.result = json_text("{}");
    const decision by = s.rule(echo).instead.value();
    BOOST_TEST(as<decisions::answer>(by).result.text() == "{}");
    BOOST_TEST(!s.rule(noted).instead.has_value()); // there is no id to answer to
    s.rules().next = decided(ruling_action::answer_unless_served);
    BOOST_TEST(!s.rule(echo).instead.has_value());
    BOOST_TEST(is<decisions::answer>(s.rule(shutdown).instead.value()));
}

BOOST_AUTO_TEST_CASE(a_notification_that_the_lifecycle_takes_is_handled_where_no_method_serves_it)
{
    subject s(with(scripted_profile));
    s.rules().next = decided(ruling_action::answer_unless_served);
    const decision by = s.rule(R"({"jsonrpc":"2.0","method":"of the protocol"})").instead.value();
    BOOST_TEST((as<decisions::ignore>(by).as == request_disposition::handled));
    BOOST_TEST(s.context.counters.notifications.get() == 1u);
    BOOST_TEST(s.context.counters.dropped.get() == 0u);
    BOOST_TEST(!s.rule(noted).instead.has_value());
}

BOOST_AUTO_TEST_CASE(what_a_lifecycle_has_to_say_besides_is_handed_on)
{
    subject s(with(scripted_profile));
    s.rules().next.watch_process = 42;
    s.rules().next.log_line = "noted";
    s.rules().next.facts = 7;
    const profile_ruling by = s.rule(echo);
    BOOST_TEST(!by.instead.has_value());
    BOOST_TEST((by.watch_process == 42));
    BOOST_TEST(by.log_line == "noted");
    BOOST_TEST(std::any_cast<int>(by.facts) == 7);
}

BOOST_AUTO_TEST_CASE(a_lifecycle_is_told_of_answers)
{
    subject s(with(scripted_profile));
    const partyline::method callee{"c", {}, nullptr};
    partyline::incoming_request ended;
    ended.id.assign("3", "3");
    ended.set_callee(callee, "c");
    s.door.note_answered("1", "a", {});
    s.door.note_answered("2", "b", -1);
    s.door.note_unanswered(ended);
    s.door.note_end(ended, partyline::request_disposition::handled, {});
    BOOST_TEST(s.rules().answered == "1a 2b! 3c? 3c ");
    subject().door.note_answered("1", "nobody listens", {});
}

// All of a kind share a name, and each has its own options.
struct tool_methods final : dispatcher {
    const method* find(std::string_view name) const noexcept override { return name == "call" ? &group : nullptr; }
    const method& select(const method& found, const message&, message_reader& reader) const noexcept override
    {
        return reader.find_param("name").text() == R"("slow")" ? slow : found;
    }

    method group{"call", {}, make_target(), false, true};
    method slow{"call", {}, make_target()};

private:
    static std::unique_ptr<handler> make_target()
    {
        return detail::make_handler([](json::value params) { return params; });
    }
};

BOOST_AUTO_TEST_CASE(params_may_tell_which_method_is_meant)
{
    subject s;
    const auto tools = std::make_shared<tool_methods>();
    s.door.methods().use(tools);
    const decision slow = s.decide(R"({"jsonrpc":"2.0","id":1,"method":"call","params":{"name":"slow"}})");
    const decision other = s.decide(R"({"jsonrpc":"2.0","method":"call","params":{"name":"other"}})");
    BOOST_TEST(std::get<decisions::run>(slow).target == &tools->slow);
    BOOST_TEST(std::get<decisions::run>(other).target == &tools->group);
}

BOOST_AUTO_TEST_CASE(methods_may_be_exchanged_while_those_of_the_former_run)
{
    subject s;
    const auto other = std::make_shared<method_table>();
    other->add("other", [](json::value params) { return params; });
    const std::weak_ptr<const dispatcher> former = s.methods;
    s.door.methods().use(other);
    s.methods.reset();
    BOOST_TEST(is<decisions::refuse>(s.decide(echo)));
    BOOST_TEST(is<decisions::run>(s.decide(R"({"jsonrpc":"2.0","id":1,"method":"other"})")));
    BOOST_TEST(!former.expired());
    s.door.forget_former_methods();
    BOOST_TEST(former.expired());
    BOOST_TEST(!s.door.methods().has_former());
}

BOOST_AUTO_TEST_SUITE_END()
