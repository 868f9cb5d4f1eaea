// Who may connect to a server, what each may call, and what becomes of a session whose peer's rights change or end.

#include "running_server.hpp"
#include "support/text_search.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <unistd.h>

using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::access_answer;
using partyline::access_control;
using partyline::access_grant;
using partyline::authentication;
using partyline::authentication_outcome;
using partyline::errc;
using partyline::exposure;
using partyline::peer_identity;
using partyline::server_options;
using partyline::session_options;

namespace {

struct one_method final : partyline::access_view {
    explicit one_method(std::string name) : allowed(std::move(name)) {}
    partyline::access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        return {method == allowed ? access_answer::allowed : access_answer::hidden};
    }
    const std::string allowed;
};

std::shared_ptr<const access_grant> grant_of(std::string principal, std::string method,
                                             const partyline::quota_limits& limits = {})
{
    auto peer = std::make_shared<peer_identity>();
    peer->principal = std::move(principal);
    peer->source = "user";
    auto made = std::make_shared<access_grant>();
    made->peer = peer;
    if (!method.empty())
        made->view = std::make_shared<const one_method>(std::move(method));
    made->quota = std::make_shared<partyline::request_quota>(limits);
    return made;
}

// Admits users of the machine, and whoever comes over TCP where there is a grant for that.
class changing_control final : public access_control {
public:
    authentication authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                std::chrono::system_clock::time_point) noexcept override
    {
        const std::lock_guard lock(mutex_);
        if (authorization)
            return {authentication_outcome::malformed, {}};
        const auto& grant = from.local ? of_users_ : of_strangers_;
        if (!grant)
            return {authentication_outcome::missing, {}};
        return {authentication_outcome::admitted, grant};
    }
    authentication renew(const std::shared_ptr<const access_grant>& grant,
                         std::chrono::system_clock::time_point) noexcept override
    {
        const std::lock_guard lock(mutex_);
        ++renewals_;
        const auto& now = grant->peer->principal == "anonymous" ? of_strangers_ : of_users_;
        if (!now)
            return {authentication_outcome::expired, {}};
        return {authentication_outcome::admitted, now};
    }

    void set_users(std::shared_ptr<const access_grant> grant)
    {
        const std::lock_guard lock(mutex_);
        of_users_ = std::move(grant);
    }
    void set_strangers(std::shared_ptr<const access_grant> grant)
    {
        const std::lock_guard lock(mutex_);
        of_strangers_ = std::move(grant);
    }
    int renewals() const
    {
        const std::lock_guard lock(mutex_);
        return renewals_;
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const access_grant> of_users_ = grant_of("alice", "");
    std::shared_ptr<const access_grant> of_strangers_;
    int renewals_ = 0;
};

struct fixture {
    std::shared_ptr<changing_control> control = std::make_shared<changing_control>();
    server_options options;

    fixture()
    {
        options.access = control;
        options.session.drain_timeout = 10s;
    }

    // Until another view holds, which takes a tick.
    static std::string ask_until(socket_client& client, const std::string& method, std::string_view part)
    {
        std::string line;
        for (std::uint64_t id = 1; id != 2000; ++id) {
            client.send(request(id, method, "[1]"));
            line = client.read_line();
            if (line.find(part) != line.npos)
                return line;
            std::this_thread::sleep_for(10ms);
        }
        return line;
    }
};

std::string failure_of_listening(partyline::exposure may_listen, const std::string& host,
                                 std::shared_ptr<access_control> access = {}, std::uint16_t port = 0)
{
    boost::asio::io_context context;
    server_options options;
    options.may_listen = may_listen;
    options.access = std::move(access);
    partyline::server server(context.get_executor(), server_methods(), options);
    try {
        server.listen_tcp(host, port);
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return {};
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(server_access, fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(the_user_of_a_unix_socket_is_admitted_and_others_are_disconnected)
{
    running_server s(std::move(options));
    socket_client user = s.unix_client();
    user.expect_service();
    socket_client stranger = s.tcp_client();
    stranger.send(echo_request(1));
    BOOST_CHECK_THROW(stranger.read_line(), std::exception);
    BOOST_TEST(s.log.take() == "refused a connection from 127.0.0.1: it has shown no credentials");
    control->set_users(nullptr);
    BOOST_CHECK_THROW(s.unix_client().read_line(), std::exception);
    BOOST_TEST(s.log.size() == 0u); // of the same kind
}

BOOST_AUTO_TEST_CASE(a_user_who_is_not_admitted_is_named_in_the_log)
{
    control->set_users(nullptr);
    running_server s(std::move(options));
    BOOST_CHECK_THROW(s.unix_client().read_line(), std::exception);
    BOOST_TEST(s.log.take() ==
               "refused a connection of the user " + std::to_string(::geteuid()) + ": it has shown no credentials");
    control->set_users(grant_of("alice", ""));
    s.unix_client().expect_service();
}

BOOST_AUTO_TEST_CASE(a_grant_says_who_the_peer_is_what_it_may_call_and_how_often)
{
    control->set_users(grant_of("alice", "echo", {.requests_per_second = 1e-9, .burst = 2}));
    mailbox<std::pair<std::string, std::string>> starts;
    options.on_session_start = [&](session_options& its, const peer_identity& who) {
        starts.put({its.peer->principal + (its.peer->local ? ", a user" : ""), who.principal});
    };
    running_server s(std::move(options));
    socket_client client = s.unix_client();
    BOOST_TEST((starts.take() == std::pair<std::string, std::string>("alice, a user", "")));
    client.send(request(1, "delay", "[1]") + echo_request(2) + echo_request(3) + echo_request(4));
    BOOST_TEST(client.read_line().find("-32601") != std::string::npos);
    client.expect(echo_reply(2));
    client.expect(echo_reply(3));
    BOOST_TEST(client.read_line().find("-31002") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(handlers_see_the_user_with_the_principal)
{
    running_server s(std::move(options));
    socket_client client = s.unix_client();
    client.send(request(1, "user", "[]"));
    client.expect(R"({"jsonrpc":"2.0","id":1,"result":)" + std::to_string(::geteuid()) + "}");
}

BOOST_AUTO_TEST_CASE(anonymous_peers_come_over_tcp_where_they_are_admitted)
{
    control->set_strangers(grant_of("anonymous", "echo"));
    running_server s(std::move(options));
    s.tcp_client().expect_service();
}

BOOST_AUTO_TEST_CASE(other_rights_hold_from_the_next_request_on)
{
    control->set_users(grant_of("alice", "echo"));
    running_server s(std::move(options));
    socket_client client = s.unix_client();
    client.expect_service();
    control->set_users(grant_of("alice", "delay"));
    ask_until(client, "delay", "\"result\":null");
    client.send(request(9000, "echo", "[1]"));
    BOOST_TEST(client.read_line().find("-32601") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(another_quota_holds_from_the_next_request_on)
{
    running_server s(std::move(options));
    socket_client client = s.unix_client();
    client.expect_service();
    control->set_users(grant_of("alice", "", {.requests_per_second = 1e-9, .burst = 1}));
    ask_until(client, "echo", "-31002");
}

BOOST_AUTO_TEST_CASE(what_on_session_start_has_set_stays)
{
    control->set_users(grant_of("alice", "echo"));
    options.on_session_start = [](session_options& its, const peer_identity&) { its.access = nullptr; };
    running_server s(std::move(options));
    socket_client client = s.unix_client();
    client.expect_service();
    control->set_users(grant_of("alice", "nothing"));
    const int before = control->renewals();
    while (control->renewals() < before + 2)
        client.expect_service();
    control->set_users(nullptr);
    BOOST_TEST((s.ends.take().why == errc::access_ended));
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(a_session_ends_with_the_grant_of_its_peer_and_what_runs_is_answered)
{
    running_server s(std::move(options));
    socket_client idle = s.unix_client();
    socket_client busy = s.unix_client();
    idle.expect_service();
    busy.send(request(1, "wait", "[]"));
    busy.expect_service();
    control->set_users(nullptr);
    idle.expect_end();
    idle.close();
    BOOST_TEST((s.ends.take().why == errc::access_ended));
    busy.send(echo_request(2));
    BOOST_TEST(busy.read_line().find("-31005") != std::string::npos);
    busy.send(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})"
              "\n");
    BOOST_TEST(busy.read_line().find("-32800") != std::string::npos);
    busy.expect_end();
    busy.close();
    BOOST_TEST((s.ends.take().why == errc::access_ended));
    BOOST_TEST(s.log.take() == "a session ended: the credentials of the peer have expired or were taken away");
    BOOST_TEST(s.log.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_server_without_connections_ends_at_once)
{
    running_server s(std::move(options));
    s.unix_client().expect_service();
    s.get().close();
    BOOST_TEST(!s.wait_end());
}

BOOST_AUTO_TEST_CASE(only_loopback_is_listened_on_unless_it_is_allowed)
{
    const std::string text = "0.0.0.0 is no loopback address, and what is sent there would travel in the clear: "
                             "--allow-any-address (server_options::may_listen) where something in front encrypts and "
                             "authenticates";
    BOOST_TEST(failure_of_listening(exposure::loopback, "0.0.0.0") == text);
    BOOST_TEST(failure_of_listening(exposure::loopback, "0.0.0.0", control) == text);
    BOOST_TEST(failure_of_listening(exposure::loopback, "127.0.0.7").empty());
    BOOST_TEST(failure_of_listening(exposure::anywhere, "0.0.0.0").empty());
}

BOOST_AUTO_TEST_CASE(an_address_that_may_not_be_listened_on_is_not_bound)
{
    boost::asio::io_context context;
    const boost::asio::ip::tcp::acceptor other(context, {boost::asio::ip::tcp::v4(), 0}); // so binding would fail
    const std::uint16_t taken = other.local_endpoint().port();
    BOOST_TEST(failure_of_listening(exposure::loopback, "0.0.0.0", {}, taken).starts_with("0.0.0.0 is no loopback"));
    BOOST_CHECK_THROW(failure_of_listening(exposure::anywhere, "0.0.0.0", {}, taken), boost::system::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
