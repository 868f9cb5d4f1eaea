// Programs on sockets that are there before them, as systemd's are: with TLS, and from one process to the next.

#include "inheriting_program.hpp"
#include "served_program.hpp"
#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"
#include "support/secure_client.hpp"
#include "support/socket_client.hpp"
#include "support/test_certificates.hpp"
#include "support/text_search.hpp"
#include "support/websocket_frames.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <sys/socket.h>

using namespace partyline::test;
namespace frames = websocket_frames;

namespace {

const std::string sum = R"({"jsonrpc":"2.0","id":1,"method":"add","params":[2,40]})";
const std::string reply = R"("result":42})";
const std::string health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

// By each protocol that answers them also at the end of a process: a WebSocket may be refused then, with 503 and
// Retry-After.
const std::vector<std::string>& lasting_requests()
{
    static const std::string length = "Content-Length: " + std::to_string(sum.size()) + "\r\n\r\n" + sum;
    static const std::vector<std::string> all{
        "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + length, sum + '\n', length};
    return all;
}

std::vector<std::string> all_requests()
{
    std::vector<std::string> all = lasting_requests();
    all.push_back("GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" +
                  frames::text(sum));
    return all;
}

std::string plain_answer(unique_fd socket, std::string_view request)
{
    socket_client client(std::move(socket));
    client.send(request);
    return client.output().read_line().value_or("(end)");
}

struct certified {
    test_certificates files;
    partyline::tls::certificate_files own = files.make_local();

    words tls(words given = {}) const
    {
        given.insert(given.begin(),
                     {"--listen-inherited", "--tls-certificate", own.certificate_file, "--tls-key", own.key_file});
        return given;
    }
    std::string answer(unique_fd socket, std::string_view request, std::string_view until = reply) const
    {
        secure_client client(files.trusted_ca());
        client.open(std::move(socket));
        client.send(request);
        return client.read_until(until);
    }
    void check_all(const manager_socket& at) const
    {
        for (const std::string& request : all_requests())
            BOOST_TEST(contains(answer(at.connect(), request), reply));
    }
};

// Clients that come without end, each with one request over TLS, until this goes.
class client_storm {
public:
    client_storm(const certified& files, const manager_socket& to)
    {
        for (const std::string& request : lasting_requests())
            threads_.emplace_back([this, &files, &request, &to] { run(files, request, to); });
    }
    client_storm(const client_storm&) = delete;
    client_storm& operator=(const client_storm&) = delete;
    ~client_storm() { end(); }

    /// Of them all, so many more are answered from now on; or one has failed.
    void wait_for_more(int count)
    {
        const int before = answered_;
        wait_until([&] { return answered_ >= before + count || has_failed_; });
    }
    /// Ends them, and returns what the first of those has heard who were not answered; empty: there is none.
    std::string end()
    {
        is_over_ = true;
        for (std::thread& one : threads_)
            one.join();
        threads_.clear();
        return failure_;
    }

private:
    void run(const certified& files, const std::string& request, const manager_socket& to)
    {
        bool has_stood_still = false;
        while (!is_over_ && !has_failed_) {
            const auto began = std::chrono::steady_clock::now();
            try {
                secure_client client(files.files.trusted_ca());
                client.open(to.connect());
                client.send(request);
                client.read_until(reply);
                ++answered_;
            } catch (const std::exception& e) {
                // A server that ends closes a connection that is silent for a second, as where this machine stands
                // still.
                const auto taken = std::chrono::steady_clock::now() - began;
                if (taken >= std::chrono::seconds(1) && taken < patience && !std::exchange(has_stood_still, true))
                    continue;
                const std::lock_guard lock(failing_);
                failure_ += std::string(e.what()) + ", asked by " + request + '\n';
                has_failed_ = true;
            }
        }
    }

    std::atomic<int> answered_ = 0;
    std::atomic<bool> is_over_ = false;
    std::atomic<bool> has_failed_ = false;
    std::mutex failing_;
    std::string failure_;
    std::deque<std::thread> threads_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(restarts, certified, *boost::unit_test::timeout(200))

BOOST_AUTO_TEST_CASE(with_tls_refuse_nobody_while_clients_come)
{
    const manager_socket socket;
    std::optional<inheriting_program> running(std::in_place, PARTYLINE_ECHO, tls({"--tls-only"}), socket.fd());
    client_storm clients(*this, socket);
    for (const std::string& request : all_requests()) {
        clients.wait_for_more(20);
        BOOST_TEST(running->end() == 128 + SIGTERM);
        unique_fd between = socket.connect(); // besides the storm's
        running.emplace(PARTYLINE_ECHO, tls({"--tls-only"}), socket.fd());
        BOOST_TEST(running->said_next() == "listening on 1 inherited sockets");
        BOOST_TEST(contains(answer(std::move(between), request), reply));
    }
    clients.wait_for_more(20);
    BOOST_TEST(clients.end() == "");
}

BOOST_AUTO_TEST_CASE(of_every_program_keep_who_has_connected_for_the_next_process)
{
    for (const service_program& each :
         {service_program{PARTYLINE_ECHO, {}}, service_program{PARTYLINE_TOOLS, {"--root", "/tmp"}},
          service_program{PARTYLINE_GATEWAY, {}, {"--", PARTYLINE_ECHO}}}) {
        BOOST_TEST_CONTEXT(each.name())
        {
            const manager_socket socket;
            inheriting_program first(each.path, each.command(tls()), socket.fd());
            BOOST_TEST(contains(answer(socket.connect(), health, "\r\n"), "HTTP/1.1 200 "));
            BOOST_TEST(first.end() == each.end_code);
            unique_fd waiting = socket.connect();
            inheriting_program next(each.path, each.command(tls()), socket.fd());
            BOOST_TEST(contains(answer(std::move(waiting), health, "\r\n"), "HTTP/1.1 200 "));
            BOOST_TEST(next.end() == each.end_code);
        }
    }
}

BOOST_AUTO_TEST_CASE(may_take_to_tls_with_the_same_socket)
{
    const manager_socket socket;
    inheriting_program plain(PARTYLINE_ECHO, {"--http-inherited"}, socket.fd());
    BOOST_TEST(plain_answer(socket.connect(), health) == "HTTP/1.1 200 OK\r");
    BOOST_TEST(plain.end() == 128 + SIGTERM);
    inheriting_program secure(PARTYLINE_ECHO, tls({"--tls-only"}), socket.fd());
    check_all(socket);
    BOOST_TEST(plain_answer(socket.connect(), health) == "HTTP/1.1 400 Bad Request\r");
    BOOST_TEST(plain_answer(socket.connect(), sum + '\n') == "(end)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(inherited, certified, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(sockets_speak_tls_and_plain_text_alike_also_those_of_unix)
{
    const scratch_directory scratch;
    const manager_socket tcp;
    const manager_socket local(scratch / "socket");
    inheriting_program program(PARTYLINE_ECHO, tls(), tcp.fd(), local.fd());
    BOOST_TEST(program.said_next() == "listening on 2 inherited sockets");
    check_all(tcp);
    for (const std::string& request : all_requests())
        BOOST_TEST(contains(answer(local.connect(), request), reply));
    BOOST_TEST(contains(plain_answer(tcp.connect(), sum + '\n'), reply));
    BOOST_TEST(contains(plain_answer(local.connect(), sum + '\n'), reply));
    BOOST_TEST(program.end() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(sockets_of_unix_may_speak_tls_alone)
{
    const scratch_directory scratch;
    const manager_socket local(scratch / "socket");
    inheriting_program program(PARTYLINE_ECHO, tls({"--tls-only"}), local.fd());
    BOOST_TEST(contains(answer(local.connect(), sum + '\n'), reply));
    BOOST_TEST(plain_answer(local.connect(), sum + '\n') == "(end)");
}

BOOST_AUTO_TEST_CASE(sockets_are_asked_for_by_the_address_that_they_are_bound_to)
{
    const manager_socket elsewhere(0x7F000002); // 127.0.0.2
    inheriting_program program(PARTYLINE_ECHO, tls(), elsewhere.fd());
    const auto asking_for = [&](const std::string& host) {
        return plain_answer(elsewhere.connect(), "GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    };
    BOOST_TEST(asking_for("127.0.0.2") == "HTTP/1.1 200 OK\r");
    BOOST_TEST(contains(asking_for("127.0.0.3"), "HTTP/1.1 4"));
}

BOOST_AUTO_TEST_CASE(descriptors_that_are_no_such_sockets_are_named)
{
    const scratch_directory scratch;
    const manager_socket right;
    const unique_fd file = make_memory_file();
    const unique_fd unbound(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    const unique_fd datagrams(checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"));
    for (const unique_fd* wrong : {&file, &unbound, &datagrams}) {
        inheriting_program alone(PARTYLINE_ECHO, tls(), wrong->get());
        BOOST_TEST(alone.process().wait_exit() == 3);
        BOOST_TEST(contains(alone.said_rest(), "cannot listen on inherited socket 3: "));
        inheriting_program second(PARTYLINE_ECHO, tls(), right.fd(), wrong->get());
        BOOST_TEST(second.process().wait_exit() == 3);
        BOOST_TEST(contains(second.said_rest(), "cannot listen on inherited socket 4: "));
    }
}

BOOST_AUTO_TEST_CASE(sockets_that_anybody_reaches_take_more_than_tls)
{
    const manager_socket everywhere(INADDR_ANY);
    inheriting_program open(PARTYLINE_ECHO, tls({"--tls-only"}), everywhere.fd());
    BOOST_TEST(open.process().wait_exit() == 2);
    BOOST_TEST(contains(open.said_rest(), "whoever connects may call: --access"));
    const std::string access = files.write("access.json", R"({"rules":[{"methods":["add"]}]})");
    inheriting_program plain(PARTYLINE_ECHO, tls({"--access", access}), everywhere.fd());
    BOOST_TEST(plain.process().wait_exit() == 2);
    BOOST_TEST(contains(plain.said_rest(), "tokens would travel in the clear: --tls-only"));
    inheriting_program right(PARTYLINE_ECHO, tls({"--access", access, "--tls-only"}), everywhere.fd());
    BOOST_TEST(right.said_next() == "listening on 1 inherited sockets");
    BOOST_TEST(contains(answer(everywhere.connect(), health, "\r\n"), "HTTP/1.1 "));
}

BOOST_AUTO_TEST_SUITE_END()
