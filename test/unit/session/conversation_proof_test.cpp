// Calls that have to be signed: a session asks its view about their proofs. Where its peer has no principal, a call is
// that of its signer, and no other one is.

#include "support/dialogue.hpp"

#include <partyline/session/access_control.hpp>
#include <partyline/session/access_view.hpp>
#include <partyline/session/served_event.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::access_answer;
using partyline::access_verdict;
using partyline::access_view;
using partyline::proof_verdict;
using partyline::request_context;
using proof_outcome = partyline::proof_verdict::outcome;

namespace {

/// What an `asking_view` makes of a proof.
struct checked_proof {
    proof_verdict verdict = {proof_outcome::valid, {}};
    bool is_right = true; // so that the session is asked for its consent
    std::shared_ptr<const partyline::access_grant> signer = {};
};

struct asking_view final : access_view {
    access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        const auto found = answers.find(method);
        return {found == answers.end() ? access_answer::hidden : found->second};
    }
    proof_verdict check_proof(const partyline::unproven_call& call) const override
    {
        asked += std::string(call.method) + std::string(call.params.text()) +
                 (call.peer ? ' ' + call.peer->principal : std::string()) + ';';
        if (throws)
            throw std::bad_alloc();
        checked_proof found;
        if (!next.empty()) {
            found = next.front();
            next.pop_front();
        }
        if (found.is_right && call.consent && !call.consent(found.signer))
            return {proof_outcome::busy, {}};
        used += found.verdict.is == proof_outcome::valid ? 1 : 0;
        return found.verdict;
    }

    std::map<std::string, access_answer, std::less<>> answers;
    mutable std::deque<checked_proof> next;
    mutable std::string asked;
    mutable int used = 0;
    bool throws = false;
};

checked_proof refused_for(std::string_view reason)
{
    return {{proof_outcome::refused, reason}, false};
}

std::shared_ptr<partyline::access_grant> signer_grant(std::string_view principal)
{
    auto peer = std::make_shared<partyline::peer_identity>();
    peer->principal = principal;
    peer->source = "proof";
    auto grant = std::make_shared<partyline::access_grant>();
    grant->peer = std::move(peer);
    grant->view = std::make_shared<asking_view>();
    return grant;
}

asking_view& view_of(const std::shared_ptr<partyline::access_grant>& grant)
{
    return const_cast<asking_view&>(static_cast<const asking_view&>(*grant->view));
}

struct fixture : dialogue {
    fixture()
    {
        methods.add("open", [] { return 1; });
        methods.add("signed", [this] { return ++runs; });
        const auto who = [this](request_context& request) {
            return request.peer().source + '/' + request.peer().principal +
                   (request.access() == options.access ? "" : " by another view");
        };
        methods.add("who", who);
        methods.add("mine", who);
        methods.add("mine later", [this, who](request_context& request) -> asio::awaitable<std::string> {
            co_await slow.wait();
            co_return who(request);
        });
        methods.add("mine alone", who, partyline::method_options{.exclusive = true});
        methods.add("mine elsewhere", who, partyline::method_options{.executor = context.get_executor()});
        methods.add_notification("note", [this] { ++notes; });
        methods.add_notification("whose", [this](request_context& request) { whose = request.peer().principal; });
        view->answers = {{"open", access_answer::allowed},
                         {"signed", access_answer::needs_proof},
                         {"who", access_answer::allowed},
                         {"note", access_answer::needs_proof}};
        options.access = view;
        use_peer("token", "alice");
        options.on_served = [this](const partyline::served_event& event) {
            served.push_back(std::string(event.method) + ' ' + event.peer.principal);
        };
    }
    ~fixture()
    {
        destroy_session();
        settle();
    }

    void use_peer(std::string source, std::string principal)
    {
        auto peer = std::make_shared<partyline::peer_identity>();
        peer->principal = std::move(principal);
        peer->source = std::move(source);
        peer->local = partyline::peer_identity::credentials{17, 1000, 100};
        options.peer = std::move(peer);
    }
    // A conversation of which nobody knows whose it is, where these have to be signed.
    void be_nobody()
    {
        use_peer({}, {});
        for (const char* const name : {"mine", "mine later", "mine alone", "mine elsewhere", "whose"})
            view->answers[name] = agent_view.answers[name] = access_answer::needs_proof;
        view_of(other).answers["mine"] = access_answer::needs_proof;
    }
    void expect_nobody(std::string_view id)
    {
        send(request(id, "who"));
        expect(result(id, "\"/\""));
    }

    static std::string refusal(std::string_view reason)
    {
        const std::string_view text = reason == "missing" ? "A proof of this call is needed" : "The proof is not valid";
        return R"({"jsonrpc":"2.0","id":1,"error":{"code":-31006,"message":")" + std::string(text) +
               R"(","data":{"reason":")" + std::string(reason) + "\"}}}";
    }
    const std::shared_ptr<asking_view> view = std::make_shared<asking_view>();
    const std::shared_ptr<partyline::access_grant> agent = signer_grant("agent-7");
    const std::shared_ptr<partyline::access_grant> other = signer_grant("agent-8");
    asking_view& agent_view = view_of(agent);
    gate slow{context};
    std::string whose;
    std::vector<std::string> served;
    int runs = 0;
    int notes = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_proof, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_proof_is_asked_for_where_a_call_needs_one_and_nowhere_else)
{
    send(request("1", "open", "{}"));
    expect(result("1", "1"));
    BOOST_TEST(view->asked == "");
    send(request("2", "signed", "[]"));
    expect(result("2", "1"));
    BOOST_TEST(view->asked == "signed[] alice;");
}

// rule: security.proof.once
BOOST_AUTO_TEST_CASE(a_call_whose_proof_is_not_valid_is_refused_with_the_reason)
{
    for (const char* const reason : {"missing", "signature", "key", "method", "params", "time", "replayed"}) {
        view->next = {refused_for(reason)};
        send(request("1", "signed"));
        expect(refusal(reason));
    }
    BOOST_TEST(runs == 0);
}

BOOST_AUTO_TEST_CASE(a_proof_that_can_not_be_checked_now_is_answered_busy)
{
    view->next = {{{proof_outcome::busy, {}}, false}};
    send(request("1", "signed"));
    expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-31001,"message":"Server busy"}})");
    view->throws = true;
    send(request("1", "signed"));
    expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}})");
    view->throws = false;
    send(request("1", "signed"));
    expect(result("1", "1"));
}

BOOST_AUTO_TEST_CASE(a_view_that_knows_no_proofs_takes_none)
{
    struct plain final : access_view {
        access_verdict judge(std::string_view, std::string_view) const noexcept override
        {
            return {access_answer::needs_proof};
        }
    };
    options.access = std::make_shared<plain>();
    send(request("1", "signed"));
    expect(refusal("key"));
}

BOOST_AUTO_TEST_CASE(a_notification_without_a_valid_proof_is_dropped_and_counted)
{
    view->next = {refused_for("missing")};
    send(notification("note"));
    settle();
    BOOST_TEST(notes == 0);
    BOOST_TEST(server().counters().dropped == 1u);
    send(notification("note"));
    settle();
    BOOST_TEST(notes == 1);
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_are_proven_one_by_one)
{
    view->next = {{}, refused_for("replayed")};
    send('[' + request("2", "signed", "[]") + ',' + request("1", "signed", "{}") + ']');
    expect('[' + result("2", "1") + ',' + refusal("replayed") + ']');
    BOOST_TEST(view->asked == "signed[] alice;signed{} alice;");
}

BOOST_AUTO_TEST_CASE(a_call_beyond_the_quota_costs_no_proof_and_one_without_a_proof_gives_its_place_back)
{
    options.quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{.at_once = 1});
    view->next = {refused_for("signature"), refused_for("signature")};
    send(request("1", "signed"));
    expect(refusal("signature"));
    send(request("1", "signed"));
    expect(refusal("signature"));
    send(request("1", "signed"));
    expect(result("1", "1"));
    destroy_session();
}

constexpr const char* as_agent = "\"proof/agent-7 by another view\"";

// rule: security.proof.own_call
BOOST_AUTO_TEST_CASE(a_proof_names_the_caller_of_its_own_call_alone)
{
    be_nobody();
    expect_nobody("1");
    for (const auto& [signer, name] : {std::pair(agent, "7"), std::pair(other, "8"), std::pair(agent, "7")}) {
        view->next = {{.signer = signer}};
        send(request("2", "mine"));
        expect(result("2", "\"proof/agent-" + std::string(name) + " by another view\""));
        expect_nobody("3");
        send(request("4", "open"));
        expect(result("4", "1"));
    }
    BOOST_TEST(view->used == 3);
    BOOST_TEST(view->asked == "mine ;mine ;mine ;");
    BOOST_TEST(agent_view.asked == "");
    const std::vector<std::string> expected = {"who ", "mine agent-7", "who ",         "open ", "mine agent-8",
                                               "who ", "open ",        "mine agent-7", "who ",  "open "};
    BOOST_TEST(served == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_signed_call_is_its_signers_however_its_handler_runs)
{
    be_nobody();
    view->next = {{.signer = agent}, {.signer = agent}, {.signer = agent}, {.signer = agent}};
    send(request("1", "mine later"));
    run_until([&] { return slow.arrivals == 1; });
    send(request("2", "mine alone")); // which waits for its turn
    settle();
    send(request("3", "who"));
    settle();
    BOOST_TEST(take_lines().empty());
    slow.open();
    expect(result("1", as_agent));
    expect(result("2", as_agent));
    expect(result("3", "\"/\""));
    send(request("4", "mine elsewhere"));
    expect(result("4", as_agent));
    send(notification("whose"));
    settle();
    BOOST_TEST(whose == "agent-7");
    expect_nobody("5");
    const std::vector<std::string> expected = {"mine later agent-7",     "mine alone agent-7", "who ",
                                               "mine elsewhere agent-7", "whose agent-7",      "who "};
    BOOST_TEST(served == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_signer_of_a_call_is_on_the_connection_that_it_came_by)
{
    be_nobody();
    methods.add("process", [](request_context& request) { return request.peer().local->process; });
    view->answers["process"] = agent_view.answers["process"] = access_answer::needs_proof;
    view->next = {{.signer = agent}};
    send(request("1", "process"));
    expect(result("1", "17"));
    BOOST_TEST(!agent->peer->local);
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_have_a_signer_each)
{
    be_nobody();
    view->next = {{.signer = agent}, {.signer = other}};
    send('[' + request("1", "mine") + ',' + request("2", "who") + ',' + request("3", "mine") + ']');
    expect('[' + result("1", as_agent) + ',' + result("2", "\"/\"") + ',' +
           result("3", "\"proof/agent-8 by another view\"") + ']');
}

// rule: security.proof.own_call
BOOST_AUTO_TEST_CASE(what_the_signer_may_not_call_is_refused_uses_no_proof_and_leaves_nothing_of_it)
{
    be_nobody();
    agent_view.answers.erase("mine");
    view->next = {{.signer = agent}};
    send(request("1", "mine"));
    expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":{"method":"mine"}}})");
    expect_nobody("2");
    agent_view.answers["mine"] = access_answer::lacks_scope;
    view->next = {{.signer = agent}};
    send(request("1", "mine"));
    expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-31003,"message":"Insufficient scope","data":{"required":[]}}})");
    expect_nobody("3");
    agent_view.answers.erase("whose");
    view->next = {{.signer = agent}};
    send(notification("whose"));
    expect_nobody("4");
    BOOST_TEST(whose == "");
    BOOST_TEST(view->used == 0);
    const std::vector<std::string> expected = {"mine agent-7", "who ", "mine agent-7", "who ", "whose agent-7", "who "};
    BOOST_TEST(served == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_call_counts_with_the_quota_of_the_conversation_and_with_that_of_its_signer)
{
    be_nobody();
    options.quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{.at_once = 2});
    agent->quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{.at_once = 1});
    const auto too_many = [](std::string_view id) {
        return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
               R"(,"error":{"code":-31002,"message":"Too many requests","data":{"retry_after_ms":1000}}})";
    };
    view->next = {{.signer = agent}, {.signer = agent}, {.signer = other}, {.signer = agent}};
    send(request("1", "mine later"));
    run_until([&] { return slow.arrivals == 1; });
    send(request("2", "mine")); // one too many of its signer
    expect(too_many("2"));
    BOOST_TEST(view->used == 1);
    send(request("3", "mine")); // of another one; there is room in the conversation
    expect(result("3", "\"proof/agent-8 by another view\""));
    slow.open();
    expect(result("1", as_agent));
    send(request("4", "mine"));
    expect(result("4", as_agent));
    BOOST_TEST(view->used == 3);
    expect_nobody("5");
    for (int i = 0; i < 2; ++i) // all has been given back
        BOOST_TEST(!options.quota->take(partyline::request_quota::clock::now()));
    BOOST_TEST(!agent->quota->take(partyline::request_quota::clock::now()));
    BOOST_TEST(served.front() == "mine agent-7"); // refused while the first one went on
}

BOOST_AUTO_TEST_CASE(a_call_that_there_is_no_room_for_uses_no_proof)
{
    be_nobody();
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 0;
    view->next = {{.signer = agent}, {.signer = agent}, {.signer = agent}};
    send(request("1", "mine later"));
    run_until([&] { return slow.arrivals == 1; });
    send(request("2", "mine"));
    expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":-31001,"message":"Server busy","data":{"limit":0,"value":1}}})");
    BOOST_TEST(view->used == 1);
    slow.open();
    expect(result("1", as_agent));
    send(request("3", "who"));
    expect(result("3", "\"/\""));
    send(request("2", "mine"));
    expect(result("2", as_agent));
    BOOST_TEST(view->used == 2);
}

BOOST_AUTO_TEST_CASE(in_a_conversation_that_has_a_principal_a_proof_names_nobody)
{
    view->answers["mine"] = access_answer::needs_proof;
    view->next = {{.signer = agent}};
    send(request("1", "mine"));
    expect(result("1", "\"token/alice\""));
}

BOOST_AUTO_TEST_CASE(a_proof_that_was_used_meanwhile_is_refused_and_gives_its_places_back)
{
    be_nobody();
    agent->quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{.at_once = 1});
    view->next = {{.verdict = {proof_outcome::refused, "replayed"}, .signer = agent}, {.signer = agent}};
    send(request("1", "mine"));
    expect(refusal("replayed"));
    send(request("2", "mine"));
    expect(result("2", as_agent));
    expect_nobody("3");
}

BOOST_AUTO_TEST_CASE(a_view_need_not_ask_for_consent)
{
    struct plain final : access_view {
        access_verdict judge(std::string_view, std::string_view) const noexcept override
        {
            return {access_answer::needs_proof};
        }
        proof_verdict check_proof(const partyline::unproven_call&) const override { return {proof_outcome::valid, {}}; }
    };
    options.access = std::make_shared<plain>();
    send(request("1", "signed"));
    expect(result("1", "1"));
}

BOOST_AUTO_TEST_SUITE_END()
