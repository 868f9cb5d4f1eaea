#include "access/file/access_file.hpp"

#include "access/file/checked_json.hpp"
#include "access/file/node.hpp"
#include "access/file/read_peers.hpp"
#include "access/file/read_rules.hpp"
#include "access/file/trusted_file.hpp"
#include "access/file/values.hpp"

#include <partyline/protocol/printable.hpp>

namespace partyline::access {
namespace {

constexpr std::size_t max_depth = 16; // of comments, too; the rest needs 4

// Such a rule would let nobody call.
void refuse_proofs(const place& where, const std::vector<rule>& rules)
{
    for (std::size_t i = 0; i < rules.size(); ++i)
        if (rules[i].proof)
            throw file_error(place(place(where, i), "proof"), "nobody can sign: there are no signers");
}

} // namespace

access_file parse_access_file(const std::string& text, const std::string& folder)
{
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        throw file_error("it is empty");
    const boost::json::value content = read_checked_json(text, max_depth);
    const place nowhere;
    const node root = {content, nowhere};
    const members all(root, {"resource", "anonymous", "issuers", "tokens", "certificates", "users", "signers",
                             "implies", "rules", "limits"});
    access_file file;
    all.read("resource", [&](const node& one) { file.resource = read_url(one); });
    all.read("anonymous", [&](const node& one) { file.anonymous = one.flag(); });
    all.read("issuers", [&](const node& one) { read_issuers(one, folder, file); });
    all.read("tokens", [&](const node& one) { read_tokens(one, file); });
    all.read("certificates", [&](const node& one) { read_certificates(one, file); });
    all.read("users", [&](const node& one) { read_users(one, file); });
    all.read("signers", [&](const node& one) { read_signers(one, folder, file); });
    all.read("implies", [&](const node& one) { read_implied_scopes(one, file); });
    all.read("rules", [&](const node& one) { read_rules(one, file); });
    all.read("limits", [&](const node& one) { read_limits(one, file); });
    if (file.anonymous && !file.rules)
        throw file_error(place(nowhere, "anonymous"), "rules are needed, which name what anonymous peers may call");
    if (file.rules && file.signers.empty())
        refuse_proofs(place(nowhere, "rules"), *file.rules);
    return file;
}

access_file read_access_file(const std::string& path)
{
    try {
        const trusted_text text = read_trusted_file(path, max_file_bytes);
        access_file file = parse_access_file(text.text, path.substr(0, path.rfind('/') + 1));
        if (file.has_secret && !text.is_private)
            throw file_error(place({}, "signers"), "others can read the secret of a key here: chmod go-r");
        return file;
    } catch (const file_error& failed) {
        throw std::runtime_error(printable(path) + ": " + printable(failed.what()));
    }
}

} // namespace partyline::access
