// What a server reads, at first and again.

#include "tls_fixture.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace partyline;
using namespace partyline::test;

namespace {

struct files_fixture : tls_fixture {
    std::string complaint() const
    {
        try {
            tls::server_context{server_options};
        } catch (const std::invalid_argument& problem) {
            return problem.what();
        } catch (const boost::system::system_error& problem) {
            BOOST_TEST(!!problem.code());
            return problem.what();
        }
        return "none";
    }
    std::string complaint_about(const tls::certificate_files& pair)
    {
        server_options.certificates = {pair};
        return complaint();
    }
    std::string read(const std::string& path) const
    {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    // Whom a foreign client that asks for this host sees.
    std::string seen(const std::string& host, const char* curves = nullptr)
    {
        handshake_outcome server_side;
        const auto client = make_foreign_client();
        client->stream.set_verify_mode(asio::ssl::verify_none);
        if (!host.empty())
            SSL_set_tlsext_host_name(client->native(), host.c_str());
        if (curves)
            SSL_set1_sigalgs_list(client->native(), curves);
        shake(*client, server_side);
        return *client->failed ? client->failed->message() : client->server_name();
    }

    const tls::certificate_files good = files.make_local();
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tls_server_files, files_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_file_is_said_with_its_name)
{
    const std::string none = files.path("none");
    const std::string text = files.write("text", "Dear reader,\n");
    const std::string cut = files.write("cut", read(good.certificate_file).substr(0, 200));
    const std::string empty = files.write("empty", "");
    const std::string folder = fs::path(none).parent_path().string();
    const auto reading = [](const std::string& file, const char* why) { return "can't read " + file + ": " + why; };
    BOOST_TEST(complaint_about({none, good.key_file}).starts_with(reading(none, "No such file or directory")));
    BOOST_TEST(complaint_about({good.certificate_file, none}).starts_with(reading(none, "No such file or directory")));
    BOOST_TEST(complaint_about({folder, good.key_file}).starts_with(reading(folder, "Is a directory")));
    for (const std::string& file : {text, empty, good.key_file})
        BOOST_TEST(complaint_about({file, good.key_file}) == file + ": there is no certificate in PEM in it");
    BOOST_TEST(complaint_about({cut, good.key_file}).starts_with(cut + ": a certificate in it can't be read: TLS: "));
    for (const std::string& file : {text, empty, good.certificate_file})
        BOOST_TEST(complaint_about({good.certificate_file, file}) == file + ": there is no private key in PEM in it");
    server_options.client_ca_file = text;
    BOOST_TEST(complaint_about(good) == text + ": there is no certificate in PEM in it");
}

BOOST_AUTO_TEST_CASE(a_key_has_to_fit_its_certificate)
{
    const auto other = files.make_local("another");
    const std::string expected = other.key_file + ": the key does not fit the certificate in " + good.certificate_file;
    BOOST_TEST(complaint_about({good.certificate_file, other.key_file}) == expected);
    const auto rsa = files.make("rsa", {.common_name = "rsa", .key = key_type::rsa});
    BOOST_TEST(complaint_about({good.certificate_file, rsa.key_file}).find("does not fit") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nobody_is_asked_for_a_passphrase)
{
    const std::string locked =
        files.write("locked", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
                              "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgvBxEYpjJqFAICCAAw\n"
                              "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEDtZ6JVHPqBMNlhmEcsKOmoEQGpO\n"
                              "Zq1vD3JpYvGJZc0Rq0lC5n1RvsrRMPy6P0F5E8sI9mPqTQ3bWnZqf8jE2mPEHcX1\n"
                              "Yq4D8l2v3a2xk0u7hUw=\n"
                              "-----END ENCRYPTED PRIVATE KEY-----\n");
    BOOST_TEST(complaint_about({good.certificate_file, locked}) ==
               locked + ": the private key needs a passphrase; take one without");
}

BOOST_AUTO_TEST_CASE(a_server_needs_a_certificate)
{
    server_options.certificates.clear();
    BOOST_TEST(complaint() == "a TLS server needs a certificate");
}

BOOST_AUTO_TEST_CASE(one_file_may_hold_both)
{
    const std::string both = files.write("both", read(good.key_file) + read(good.certificate_file));
    BOOST_TEST(complaint_about({both, both}) == "none");
}

BOOST_AUTO_TEST_CASE(who_may_read_a_key_is_the_users_affair)
{
    fs::permissions(good.key_file, fs::perms::all);
    BOOST_TEST(complaint_about(good) == "none");
}

BOOST_AUTO_TEST_CASE(the_certificate_is_the_one_for_the_host_that_is_asked_for)
{
    server_options.certificates = {
        files.make("first", {.common_name = "first", .hosts = {"first.test"}}),
        files.make("second", {.common_name = "second", .hosts = {"second.test", "*.second.test", "Third.Test"}}),
        files.make("exact", {.common_name = "exact", .hosts = {"one.second.test"}}),
        files.make("old", {.common_name = "fourth.test"}),
    };
    BOOST_TEST(seen("first.test") == "CN=first");
    BOOST_TEST(seen("second.test") == "CN=second");
    BOOST_TEST(seen("SECOND.test") == "CN=second");
    BOOST_TEST(seen("two.second.test") == "CN=second");
    BOOST_TEST(seen("one.second.test") == "CN=exact");
    BOOST_TEST(seen("a.two.second.test") == "CN=first");
    BOOST_TEST(seen("third.test") == "CN=second");
    BOOST_TEST(seen("fourth.test") == "CN=fourth.test");
    BOOST_TEST(seen("elsewhere.test") == "CN=first");
    BOOST_TEST(seen("test") == "CN=first");
    BOOST_TEST(seen("") == "CN=first");
}

BOOST_AUTO_TEST_CASE(of_two_for_a_host_the_clients_algorithms_choose)
{
    server_options.certificates = {
        files.make("first", {.common_name = "first", .hosts = {"first.test"}, .key = key_type::rsa}),
        files.make("elliptic", {.common_name = "elliptic", .hosts = {"host.test"}}),
        files.make("rsa", {.common_name = "rsa", .hosts = {"host.test"}, .key = key_type::rsa}),
    };
    BOOST_TEST(seen("host.test", "ECDSA+SHA256:RSA-PSS+SHA256") == "CN=elliptic");
    BOOST_TEST(seen("host.test", "RSA-PSS+SHA256") == "CN=rsa");
    BOOST_TEST(seen("first.test", "RSA-PSS+SHA256") == "CN=first");
}

BOOST_AUTO_TEST_CASE(files_are_read_again_under_load)
{
    server_options.certificates = {files.make("served", {.common_name = "before"})};
    handshake_outcome old;
    const auto client = make_foreign_client();
    client->stream.set_verify_mode(asio::ssl::verify_none);
    shake(*client, old);
    for (int i = 0; i < 10; ++i) {
        const std::string name = "after " + std::to_string(i);
        files.make("served", {.common_name = name});
        server().reload();
        BOOST_TEST(seen("") == "CN=" + name);
        BOOST_TEST(echoes(*client, *old.stream));
    }
    BOOST_TEST(client->server_name() == "CN=before");
}

BOOST_AUTO_TEST_CASE(a_handshake_ends_by_the_files_that_it_began_with)
{
    server_options.certificates = {files.make("served", {.common_name = "before"})};
    handshake_outcome server_side;
    const auto client = make_foreign_client();
    client->stream.set_verify_mode(asio::ssl::verify_none);
    server();
    client->stream.async_handshake(asio::ssl::stream_base::client, [](error_code) {});
    files.make("served", {.common_name = "after"});
    shake(*client, server_side);
    BOOST_TEST(client->server_name() == "CN=before");
}

BOOST_AUTO_TEST_CASE(files_that_are_wrong_change_nothing)
{
    server_options.certificates = {files.make("served", {.common_name = "before"})};
    const tls::certificate_files served = server_options.certificates.front();
    BOOST_TEST(seen("") == "CN=before");
    const std::string key = read(served.key_file);
    files.make("served", {.common_name = "after"});
    files.write("served.key", key); // of the certificate before, as in the middle of a renewal
    BOOST_CHECK_THROW(server().reload(), std::invalid_argument);
    BOOST_TEST(seen("") == "CN=before");
    fs::remove(served.certificate_file);
    BOOST_CHECK_THROW(server().reload(), boost::system::system_error);
    BOOST_TEST(seen("") == "CN=before");
    files.make("served", {.common_name = "after"});
    server().reload();
    BOOST_TEST(seen("") == "CN=after");
}

BOOST_AUTO_TEST_CASE(what_a_user_sets_stays_when_files_are_read_again)
{
    int calls = 0;
    server_options.adjust = [&](SSL_CTX& rules) {
        ++calls;
        SSL_CTX_set_max_proto_version(&rules, TLS1_2_VERSION);
    };
    server().reload();
    BOOST_TEST(calls == 2);
    BOOST_TEST(SSL_CTX_get_max_proto_version(server().native_handle().get()) == TLS1_2_VERSION);
}

BOOST_AUTO_TEST_SUITE_END()
