// Who the client is for an issuer, and what the store has of that.

#include "http/oauth/login_flow.hpp"
#include "http/oauth/registration.hpp"

#include <chrono>
#include <utility>

namespace partyline::http {

// The identity that the client has without registering anything there.
std::optional<client_identity> login_flow::known_identity(const issuer_metadata& at) const
{
    const auto way = choose_registration(at, !options_.client_id.empty(), !options_.metadata_url.empty());
    if (way == registration_way::dynamic)
        return std::nullopt;
    client_identity who;
    who.issuer = at.issuer;
    who.id = way == registration_way::known ? options_.client_id : options_.metadata_url;
    if (way == registration_way::known)
        who.secret = options_.client_secret;
    who.method = choose_authentication(at, {.secret = !who.secret.empty(), .key = key_.has_value()});
    return who;
}

std::optional<client_identity> login_flow::kept_identity(const issuer_metadata& at) const
{
    std::optional<client_identity> kept = read_identity(options_.store.load(identity_name(at.issuer)), at.issuer);
    const auto today = std::chrono::duration_cast<std::chrono::seconds>(now().time_since_epoch()).count();
    if (kept && kept->until && *kept->until <= today)
        return std::nullopt;
    return kept;
}

// An issuer that has lost a client may not send a person back who is to log in by it: it shows an error, and that is
// all. So a login that follows one without an answer does not rely on what was registered before.
std::optional<client_identity> login_flow::undoubted_identity(const issuer_metadata& at) const
{
    std::optional<client_identity> kept = kept_identity(at);
    if (kept && kept->is_in_doubt)
        return std::nullopt;
    return kept;
}

void login_flow::save_identity(client_identity who, bool is_in_doubt) const
{
    who.is_in_doubt = is_in_doubt;
    options_.store.save(identity_name(who.issuer), to_text(who));
}

// The next login registers it anew.
void login_flow::note_error(const client_identity& who, const std::string& error) const
{
    if (is_unknown_client(error))
        options_.store.save(identity_name(who.issuer), {});
}

} // namespace partyline::http
