#include "session/grant_renewal.hpp"
#include "session/use_grant.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <string>

using namespace std::chrono_literals;
using partyline::access_control;
using partyline::access_grant;
using partyline::authentication;
using partyline::authentication_outcome;
using partyline::grant_renewal;
using partyline::peer_identity;
using partyline::session_options;
using action = grant_renewal::action;

namespace {

constexpr std::chrono::system_clock::time_point now{1h};

struct open_view final : partyline::access_view {
    partyline::access_verdict judge(std::string_view, std::string_view) const noexcept override { return {}; }
};

std::shared_ptr<const access_grant> grant_of(const std::string& principal)
{
    auto peer = std::make_shared<peer_identity>();
    peer->principal = principal;
    peer->source = "user";
    auto made = std::make_shared<access_grant>();
    made->peer = peer;
    made->view = std::make_shared<const open_view>();
    made->quota = std::make_shared<partyline::request_quota>(partyline::quota_limits{});
    return made;
}

// Says what it is told to.
struct scripted_control final : access_control {
    authentication authenticate(const peer_identity&, std::optional<std::string_view>,
                                std::chrono::system_clock::time_point) noexcept override
    {
        return {};
    }
    authentication renew(const std::shared_ptr<const access_grant>& grant,
                         std::chrono::system_clock::time_point at) noexcept override
    {
        asked_of = grant;
        asked_at = at;
        return next;
    }

    authentication next;
    std::shared_ptr<const access_grant> asked_of;
    std::chrono::system_clock::time_point asked_at;
};

struct noted_session {
    void use_access(std::shared_ptr<const partyline::access_view> other)
    {
        if (is_without_memory)
            throw std::bad_alloc();
        view = std::move(other);
    }
    void use_quota(std::shared_ptr<partyline::request_quota> other) { quota = std::move(other); }
    void end_access() { ++ends; }

    std::shared_ptr<const partyline::access_view> view;
    std::shared_ptr<partyline::request_quota> quota;
    int ends = 0;
    bool is_without_memory = false;
};

struct fixture {
    std::shared_ptr<scripted_control> control = std::make_shared<scripted_control>();
    std::shared_ptr<const access_grant> first = grant_of("alice");
    session_options options;

    fixture() { partyline::use_grant(options, *first); }

    grant_renewal make() { return {control, first, options}; }
    void say(std::shared_ptr<const access_grant> grant)
    {
        control->next = {authentication_outcome::admitted, std::move(grant)};
    }
};

} // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(grant_renewal::action)

BOOST_FIXTURE_TEST_SUITE(grant_renewal_suite, fixture)

BOOST_AUTO_TEST_CASE(where_nothing_has_changed_the_grant_is_kept)
{
    grant_renewal subject = make();
    say(first);
    BOOST_TEST((subject.check(now) == action::keep));
    BOOST_TEST(control->asked_of == first);
    BOOST_TEST((control->asked_at == now));
}

BOOST_AUTO_TEST_CASE(other_rights_of_the_same_peer_are_exchanged_and_asked_for_from_then_on)
{
    grant_renewal subject = make();
    const auto second = grant_of("alice");
    say(second);
    BOOST_TEST((subject.check(now) == action::exchange));
    BOOST_TEST(subject.view() == second->view);
    BOOST_TEST(subject.quota() == second->quota);
    subject.accept();
    BOOST_TEST((subject.check(now) == action::keep));
    BOOST_TEST(control->asked_of == second);
}

BOOST_AUTO_TEST_CASE(an_exchange_that_nobody_could_make_is_said_again)
{
    grant_renewal subject = make();
    const auto second = grant_of("alice");
    say(second);
    noted_session its;
    its.is_without_memory = true;
    BOOST_CHECK_THROW(subject.renew(its, now), std::bad_alloc);
    its.is_without_memory = false;
    subject.renew(its, now);
    BOOST_TEST(control->asked_of == first);
    BOOST_TEST(its.view == second->view);
    BOOST_TEST(its.quota == second->quota);
    its.view.reset();
    subject.renew(its, now);
    BOOST_TEST(!its.view);
    BOOST_TEST(its.ends == 0);
}

BOOST_AUTO_TEST_CASE(whatever_is_not_admitted_has_ended)
{
    grant_renewal subject = make();
    noted_session its;
    for (const auto how :
         {authentication_outcome::missing, authentication_outcome::invalid, authentication_outcome::expired}) {
        control->next = {how, {}};
        BOOST_TEST((subject.check(now) == action::end));
        subject.renew(its, now);
    }
    BOOST_TEST(its.ends == 3);
}

BOOST_AUTO_TEST_CASE(what_can_not_be_checked_now_holds_until_it_expires)
{
    auto until_later = std::make_shared<access_grant>();
    auto peer = std::make_shared<peer_identity>(*first->peer);
    peer->until = now + std::chrono::seconds(1);
    until_later->peer = peer;
    control->next = {authentication_outcome::unavailable, {}};
    session_options used;
    grant_renewal subject(control, until_later, used);
    BOOST_TEST((subject.check(now) == action::keep));
    BOOST_TEST((subject.check(*peer->until - std::chrono::milliseconds(1)) == action::keep));
    BOOST_TEST((subject.check(*peer->until) == action::end));
    grant_renewal without_end = make();
    BOOST_TEST((without_end.check(now + std::chrono::hours(1)) == action::keep));
}

BOOST_AUTO_TEST_CASE(a_conversation_never_becomes_another_peers)
{
    grant_renewal subject = make();
    say(grant_of("bob"));
    BOOST_TEST((subject.check(now) == action::end));
    auto same_name = std::make_shared<access_grant>();
    auto peer = std::make_shared<peer_identity>(*first->peer);
    peer->source = "token";
    same_name->peer = peer;
    say(same_name);
    BOOST_TEST((subject.check(now) == action::end));
    say(nullptr);
    BOOST_TEST((subject.check(now) == action::end));
}

BOOST_AUTO_TEST_CASE(what_was_set_in_place_of_the_grants_own_stays)
{
    const auto own = std::make_shared<const open_view>();
    options.access = own;
    options.quota = nullptr;
    grant_renewal subject = make();
    say(grant_of("alice"));
    noted_session its;
    subject.renew(its, now);
    BOOST_TEST(its.view == own);
    BOOST_TEST(!its.quota);
}

BOOST_AUTO_TEST_CASE(the_peer_of_a_connection_has_what_the_system_says_of_it_and_what_the_grant_says)
{
    peer_identity from;
    from.local = peer_identity::credentials{17, 1000, 100};
    from.principal = "the subject of a certificate";
    session_options used;
    partyline::use_grant(used, *first, from);
    BOOST_TEST(used.peer->principal == "alice");
    BOOST_TEST(used.peer->source == "user");
    BOOST_TEST(used.peer->local->process == 17);
    BOOST_TEST(used.access == first->view);
    BOOST_TEST(used.quota == first->quota);
    BOOST_TEST(!first->peer->local);
}

BOOST_AUTO_TEST_SUITE_END()
