#pragma once

#include "access/jwt/issuers.hpp"
#include "support/jwt_signer.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::test {

/// A time at which all is valid that `good_claims` make.
inline constexpr std::chrono::system_clock::time_point noon{std::chrono::seconds(1'800'000'000)};
inline constexpr std::string_view issuer_name = "https://as.example.org";
inline constexpr std::string_view our_name = "https://rpc.example.org/mcp";

/// One key of each algorithm for all tests: to make one of RSA takes a while.
const jwt_signer& key_of(std::string_view algorithm);

/// The claims of a good token; `more`: members to put behind them: `,"nbf":1`.
std::string good_claims(std::string_view more = "");

/// The same without one of them.
std::string claims_without(std::string_view name, std::string_view more = "");

/// The rules that good claims keep.
access::claim_rules our_rules();

/// An issuer whose keys are in the file.
struct one_issuer {
    explicit one_issuer(const std::string& keys, access::claim_rules rules = our_rules());

    /// What becomes of a token at noon; `nobody's` where it is not this issuer's.
    std::string judge(std::string_view token, std::chrono::system_clock::time_point now = noon) const;

    std::shared_ptr<access::issuer_services> services = std::make_shared<access::issuer_services>();
    access::signature_quota signatures;
    access::issuers all;
};

/// The outcome in words; `nobody's` where no issuer has judged.
std::string words(authentication_outcome outcome);
std::string words(const std::optional<access::token_verdict>& verdict);

} // namespace partyline::test
