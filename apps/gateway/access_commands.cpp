#include "gateway/access_commands.hpp"

#include "gateway/judged_request.hpp"

#include <partyline/access/gate.hpp>
#include <partyline/access/sign_calls.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace json = boost::json;

namespace gateway {
namespace {

partyline::peer_identity read_caller(const std::string& text)
{
    std::istringstream words(text);
    partyline::peer_identity caller;
    words >> caller.principal;
    for (std::string scope; words >> scope;)
        caller.scopes.push_back(scope);
    if (caller.principal.empty())
        throw std::invalid_argument("name the principal, and behind it its scopes: 'alice files:read'");
    std::ranges::sort(caller.scopes);
    caller.scopes.erase(std::unique(caller.scopes.begin(), caller.scopes.end()), caller.scopes.end());
    return caller;
}

// Prints the secret and its entry for a list of the access file.
int print_made(const std::string& secret, const std::string& list, json::object entry,
               const partyline::peer_identity& owner, std::ostream& out)
{
    entry["principal"] = owner.principal;
    if (!owner.scopes.empty())
        entry["scopes"] = json::array(owner.scopes.begin(), owner.scopes.end());
    const std::string text = json::serialize(entry);
    partyline::access::check_access_text("{\"" + list + "\":[" + text + "]}"); // throws what is wrong with it
    out << secret << '\n' << text << '\n';
    return 0;
}

} // namespace

int make_token_for(const std::string& caller, std::ostream& out)
{
    const partyline::peer_identity owner = read_caller(caller);
    const partyline::access::new_token made = partyline::access::make_token();
    return print_made(made.token, "tokens", {{"sha256", made.sha256}}, owner, out);
}

int make_key_for(const std::string& caller, std::ostream& out)
{
    const partyline::peer_identity owner = read_caller(caller);
    const partyline::access::new_key made = partyline::access::make_key(owner.principal);
    return print_made(made.private_jwk, "signers", {{"jwk", json::parse(made.public_jwk)}}, owner, out);
}

int explain(const explained_call& call, std::ostream& out)
{
    const partyline::access::gate rules(call.access_file);
    const std::string_view by = judging_method(call.method, call.key);
    const std::optional<std::string> key = judged_key(by, call.key);
    partyline::access::explanation judged = rules.explain(read_caller(call.caller), by, key.value_or(""));
    if (!key && !call.key.empty() && judged.is_by_rules)
        judged = {partyline::access_answer::hidden, "hidden: a server may take the URI for another one"};
    out << (by == call.method ? "" : "judged as " + std::string(by) + ": ") << judged.text << '\n';
    return judged.answer == partyline::access_answer::allowed ? 0 : 1;
}

int check_access(const std::string& file, std::ostream& out)
{
    const partyline::access::gate rules(file);
    out << file << " is valid\n";
    return 0;
}

} // namespace gateway
