// Prints what the library says of tokens: jwt_verdicts KEYS TIME, a token on each line of standard input, "good" or
// "bad" on each line of standard output. KEYS is a file with a JWKS, TIME in seconds since 1970.

#include "access/jwt/issuers.hpp"

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace partyline::access;

issuer_settings settings(const char* keys)
{
    std::ifstream file(keys);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    issuer_settings one;
    one.claims.issuer = "https://as.example.org";
    one.claims.audiences = {"https://rpc.example.org/mcp"};
    one.keys = read_key_set(text).keys;
    return one;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    issuer_settings one = settings(argv[1]);
    if (!one.keys)
        return 1;
    const auto services = std::make_shared<issuer_services>();
    const issuers all({std::move(one)}, services, nullptr);
    const std::chrono::system_clock::time_point now{std::chrono::seconds(std::stoll(argv[2]))};
    std::ios::sync_with_stdio(false);
    for (std::string token; std::getline(std::cin, token);) {
        signature_quota unused; // time stands still
        services->signatures = &unused;
        const std::optional<token_verdict> verdict = all.verify(token, now);
        const bool is_good = verdict && verdict->outcome == partyline::authentication_outcome::admitted;
        std::cout << (is_good ? "good\n" : "bad\n");
    }
}
