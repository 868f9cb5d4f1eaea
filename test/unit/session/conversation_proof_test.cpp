// Calls that have to be signed: a session asks its view about their proofs, and one may say who the peer is.

#include "support/dialogue.hpp"

#include <partyline/session/access_control.hpp>
#include <partyline/session/access_view.hpp>

#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>

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

struct asking_view final : access_view {
    access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        const auto found = answers.find(method);
        return {found == answers.end() ? access_answer::hidden : found->second};
    }
    proof_verdict check_proof(const partyline::unproven_call& call) const override
    {
        asked += std::string(call.method) + std::string(call.params.text()) +
                 (call.peer ? ' ' + call.peer->principal : std::string()) + (call.may_name_peer ? "?" : "") + ';';
        if (throws)
            throw std::bad_alloc();
        if (next.empty())
            return {proof_outcome::valid, {}, {}};
        const proof_verdict found = next.front();
        next.pop_front();
        return found;
    }

    std::map<std::string, access_answer, std::less<>> answers;
    mutable std::deque<proof_verdict> next;
    mutable std::string asked;
    bool throws = false;
};

struct fixture : dialogue {
    fixture()
    {
        methods.add("open", [] { return 1; });
        methods.add("signed", [this] { return ++runs; });
        methods.add("who",
                    [](request_context& request) { return request.peer().source + '/' + request.peer().principal; });
        methods.add_notification("note", [this] { ++notes; });
        view->answers = {{"open", access_answer::allowed},
                         {"signed", access_answer::needs_proof},
                         {"who", access_answer::allowed},
                         {"note", access_answer::needs_proof}};
        options.access = view;
        auto peer = std::make_shared<partyline::peer_identity>();
        peer->principal = "alice";
        peer->source = "token";
        options.peer = std::move(peer);
    }
    ~fixture()
    {
        destroy_session();
        settle();
    }

    static std::string refusal(std::string_view reason)
    {
        const std::string_view text = reason == "missing" ? "A proof of this call is needed" : "The proof is not valid";
        return R"({"jsonrpc":"2.0","id":1,"error":{"code":-31006,"message":")" + std::string(text) +
               R"(","data":{"reason":")" + std::string(reason) + "\"}}}";
    }
    // A conversation of which nobody knows whose it is, and the grant that a proof gives it.
    std::shared_ptr<partyline::access_grant> nameable()
    {
        options.peer = std::make_shared<const partyline::peer_identity>();
        options.proven = std::make_shared<partyline::proven_grant>();
        auto grant = std::make_shared<partyline::access_grant>();
        auto peer = std::make_shared<partyline::peer_identity>();
        peer->principal = "agent-7";
        peer->source = "proof";
        grant->peer = std::move(peer);
        grant->view = named_view;
        return grant;
    }

    const std::shared_ptr<asking_view> view = std::make_shared<asking_view>();
    const std::shared_ptr<asking_view> named_view = std::make_shared<asking_view>();
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
        view->next = {{proof_outcome::refused, reason, {}}};
        send(request("1", "signed"));
        expect(refusal(reason));
    }
    BOOST_TEST(runs == 0);
}

BOOST_AUTO_TEST_CASE(a_proof_that_can_not_be_checked_now_is_answered_busy)
{
    view->next = {{proof_outcome::busy, {}, {}}};
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
    view->next = {{proof_outcome::refused, "missing", {}}};
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
    view->next = {{proof_outcome::valid, {}, {}}, {proof_outcome::refused, "replayed", {}}};
    send('[' + request("2", "signed", "[]") + ',' + request("1", "signed", "{}") + ']');
    expect('[' + result("2", "1") + ',' + refusal("replayed") + ']');
    BOOST_TEST(view->asked == "signed[] alice;signed{} alice;");
}

BOOST_AUTO_TEST_CASE(a_call_beyond_the_quota_costs_no_proof_and_one_without_a_proof_gives_its_place_back)
{
    options.quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{.at_once = 1});
    view->next = {{proof_outcome::refused, "signature", {}}, {proof_outcome::refused, "signature", {}}};
    send(request("1", "signed"));
    expect(refusal("signature"));
    send(request("1", "signed"));
    expect(refusal("signature"));
    send(request("1", "signed"));
    expect(result("1", "1"));
    destroy_session();
}

BOOST_AUTO_TEST_CASE(the_first_valid_proof_says_who_the_peer_is_for_good)
{
    const auto grant = nameable();
    named_view->answers = {{"who", access_answer::allowed}, {"signed", access_answer::needs_proof}};
    send(request("1", "who"));
    expect(result("1", "\"/\""));
    view->next = {{proof_outcome::refused, "signature", {}}, {proof_outcome::valid, {}, grant}};
    send(request("1", "signed"));
    expect(refusal("signature"));
    send(request("2", "who"));
    expect(result("2", "\"/\""));
    send(request("3", "signed"));
    expect(result("3", "1"));
    BOOST_TEST((options.proven->get() == grant));
    send(request("4", "who"));
    expect(result("4", "\"proof/agent-7\""));
    send(request("1", "open"));
    expect(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":{"method":"open"}}})");
    send(request("5", "signed", "[]"));
    expect(result("5", "2"));
    BOOST_TEST(named_view->asked == "signed[] agent-7;"); // which names nobody any more
}

BOOST_AUTO_TEST_CASE(what_the_named_peer_may_not_call_is_refused_although_its_proof_is_valid)
{
    const auto grant = nameable();
    view->next = {{proof_outcome::valid, {}, grant}};
    send(request("1", "signed"));
    expect(
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":{"method":"signed"}}})");
    BOOST_TEST(runs == 0);
    BOOST_TEST((options.proven->get() == grant));
}

BOOST_AUTO_TEST_CASE(a_session_whose_view_and_quota_are_its_own_keeps_them_when_a_proof_names_its_peer)
{
    const auto grant = nameable();
    options.proven = std::make_shared<partyline::proven_grant>(false, false);
    options.quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{.at_once = 1});
    grant->quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{.requests_per_second = 1});
    view->next = {{proof_outcome::valid, {}, grant}};
    send(request("1", "signed"));
    expect(result("1", "1"));
    for (int i = 0; i < 3; ++i) {
        send(request("2", "who"));
        expect(result("2", "\"proof/agent-7\""));
    }
    send(request("3", "open"));
    expect(result("3", "1"));
    destroy_session();
}

BOOST_AUTO_TEST_CASE(without_a_place_for_the_grant_a_proof_names_nobody)
{
    const auto grant = nameable();
    options.proven.reset();
    view->next = {{proof_outcome::valid, {}, grant}};
    send(request("1", "signed"));
    expect(result("1", "1"));
    send(request("2", "who"));
    expect(result("2", "\"/\""));
    BOOST_TEST(view->asked == "signed ;");
}

BOOST_AUTO_TEST_SUITE_END()
