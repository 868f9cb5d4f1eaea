#include "support/test_certificates.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

#include <openssl/pem.h>
#include <openssl/x509v3.h>

BOOST_AUTO_TEST_SUITE(certificates)

BOOST_AUTO_TEST_CASE(one_is_for_this_machine_and_goes_away)
{
    std::string file;
    {
        const partyline::test::test_certificates all;
        const auto made = all.make(
            "bench",
            {.common_name = "bench", .addresses = {"127.0.0.1"}, .signed_by = partyline::test::signer::itself});
        file = made.certificate_file;
        BOOST_TEST(std::filesystem::exists(made.key_file));
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "r"), std::fclose);
        BOOST_TEST_REQUIRE(in != nullptr);
        const std::unique_ptr<X509, void (*)(X509*)> read(PEM_read_X509(in.get(), nullptr, nullptr, nullptr),
                                                          X509_free);
        BOOST_TEST_REQUIRE(read != nullptr);
        BOOST_TEST(X509_check_ip_asc(read.get(), "127.0.0.1", 0) == 1);
    }
    BOOST_TEST(!std::filesystem::exists(file));
}

BOOST_AUTO_TEST_SUITE_END()
