// Makes and judges what proofs are made of, for comparison with others. Reads lines from standard input, and prints one
// for each:
//   proof_verdicts canonical       JSON: its canonical form, or "refused"
//   proof_verdicts make KEY        METHOD, a tab, params: a proof of the call, by the private key in the file
//   proof_verdicts judge KEY       METHOD, a tab, params with a proof: "valid", or why it is not, by the key in the file

#include "access/jwt/object_members.hpp"
#include "access/proof/canonical.hpp"
#include "access/proof/proof.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/session/peer_identity.hpp>

#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace partyline::access;

std::string canonical(const std::string& line)
{
    partyline::byte_buffer out;
    return append_canonical(out, line) ? std::string(out.view()) : "refused";
}

std::string make(const private_key& key, const std::string& method, const std::string& params)
{
    return make_proof(key, method, digest_of_params(params).value(), std::chrono::system_clock::now());
}

std::string judge(const signer_set& signers, const std::string& method, const std::string& params)
{
    partyline::peer_identity peer;
    peer.principal = "agent-7";
    partyline::unproven_call call;
    call.method = method;
    call.params = partyline::json_view::checked(params);
    call.peer = &peer;
    const auto now = std::chrono::system_clock::now();
    const checked_proof checked = check_proof(call, signers, {}, now);
    const bool is_right = checked.verdict.is == partyline::proof_verdict::outcome::valid;
    const partyline::proof_verdict found = is_right ? use_proof(checked, {}, now) : checked.verdict;
    return found.is == partyline::proof_verdict::outcome::valid ? "valid" : std::string(found.reason);
}

std::string text_of_file(const char* name)
{
    std::ifstream file(name);
    return {std::istreambuf_iterator<char>(file), {}};
}

signer_set only_signer(const char* file)
{
    const auto jwk = object_members::read(text_of_file(file), 8);
    auto key = verification_key::read(jwk.value(), partyline::access::jwt_use::proof);
    std::vector<signer> all(1);
    all[0].principal = "agent-7";
    all[0].id = "k1";
    all[0].key = std::make_shared<const verification_key>(std::move(key.value()));
    return signer_set(std::move(all));
}

void each_call(const std::function<std::string(const std::string& method, const std::string& params)>& answer)
{
    for (std::string line; std::getline(std::cin, line);) {
        const std::size_t tab = line.find('\t');
        std::cout << answer(line.substr(0, tab), line.substr(tab + 1)) << '\n';
    }
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "canonical") {
        for (std::string line; std::getline(std::cin, line);)
            std::cout << canonical(line) << '\n';
    } else if (what == "make" && argc == 3) {
        const private_key key = private_key::read(text_of_file(argv[2])).value();
        each_call([&](const std::string& method, const std::string& params) { return make(key, method, params); });
    } else if (what == "judge" && argc == 3) {
        const signer_set signers = only_signer(argv[2]);
        each_call([&](const std::string& method, const std::string& params) { return judge(signers, method, params); });
    } else {
        return 2;
    }
    return 0;
}
