#include "http/access/hidden_secret.hpp"
#include "http/oauth/login_failure.hpp"
#include "http/oauth/login_flow.hpp"
#include "http/oauth/registration.hpp"
#include "http/oauth/token_rules.hpp"

#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// A server may be of ws: its tokens are asked for over HTTP.
url over_http_alone(url to)
{
    to.scheme = to.is_secure() ? url_scheme::https : url_scheme::http;
    return to;
}

void check_options(const url& server, const oauth_options& given)
{
    if (!server.is_secure() && !is_loopback(server))
        throw std::invalid_argument("tokens are sent over https, or to loopback: '" + server.origin() + "' is neither");
    if (given.client_id.empty() && !given.client_secret.empty())
        throw std::invalid_argument("oauth_options: a client secret belongs to a client id");
    if (given.client_id.empty() && given.metadata_url.empty() && !given.client_key.empty())
        throw std::invalid_argument("oauth_options: a client key belongs to a client id or to metadata");
    if (!given.open_page && given.client_secret.empty() && given.client_key.empty())
        throw std::invalid_argument("oauth_options: without open_page, the program needs a secret or a key");
    if (!given.metadata_url.empty() && parse_url(given.metadata_url).scheme != url_scheme::https)
        throw std::invalid_argument("oauth_options: the metadata of a client is at an address of https, not at '" +
                                    given.metadata_url + "'");
    if (!given.issuer.empty())
        parse_url(given.issuer);
    if (bool(given.store.load) != bool(given.store.save))
        throw std::invalid_argument("oauth_options::store: what is saved has to be loaded");
}

// In place of a store that is not given.
oauth_store memory_store()
{
    const auto entries = std::make_shared<std::map<std::string, std::string>>();
    oauth_store made;
    made.load = [entries](const std::string& name) {
        const auto found = entries->find(name);
        return found == entries->end() ? std::string() : found->second;
    };
    made.save = [entries](const std::string& name, const std::string& text) {
        constexpr std::size_t most = 64;
        if (entries->size() >= most)
            entries->clear();
        entries->insert_or_assign(name, text);
    };
    return made;
}

// Where a browser is sent to, of an identity that was registered with that.
std::uint16_t port_of(const std::string& redirect_uri)
{
    try {
        return parse_url(redirect_uri).port;
    } catch (const std::invalid_argument&) {
        return 0;
    }
}

// Some issuers know the port that a client has registered, and take no other one (as RFC 8252 §7.3 wants them to). So
// it is tried again, and a client that can't have it registers anew.
std::unique_ptr<redirect_listener> listen(const asio::any_io_executor& serial, std::uint16_t wanted,
                                          std::optional<client_identity>& kept)
{
    if (kept && (wanted == 0 || wanted == port_of(kept->redirect_uri))) {
        try {
            return std::make_unique<redirect_listener>(serial, port_of(kept->redirect_uri));
        } catch (const boost::system::system_error&) { // the port is somebody else's
        }
    }
    kept.reset();
    return std::make_unique<redirect_listener>(serial, wanted);
}

client_request post_of(const char* type, std::string body)
{
    client_request asked;
    asked.method = "POST";
    asked.fields = {{"Accept", "application/json"}, {"Content-Type", type}};
    asked.body = std::make_shared<const std::string>(std::move(body));
    return asked;
}

shown_secrets secrets_in(const std::string& form, const std::vector<field_text>& fields, const client_identity& who)
{
    std::vector<std::string> all = {who.secret};
    if (const shown_secrets of_fields = secrets_of(fields)) // id and secret of Basic
        all.insert(all.end(), of_fields->begin(), of_fields->end());
    const std::optional<form_fields> sent = form_fields::read(form);
    for (const char* const name : {"code", "code_verifier", "refresh_token", "client_assertion", "client_secret"}) {
        if (const std::optional<std::string> value = sent ? sent->find(name) : std::nullopt) {
            all.push_back(*value);
            all.push_back(form_encoded(*value));
        }
    }
    return std::make_shared<const std::vector<std::string>>(std::move(all));
}

// Some issuers repeat what they refuse.
void hide_secrets(oauth_error& refusal, const shown_secrets& shown)
{
    refusal.code = without_secrets(refusal.code, shown);
    refusal.description = without_secrets(refusal.description, shown);
}

held_tokens made_of(issued_tokens issued, const scope_set& else_granted, held_tokens::time_point now, held_tokens with)
{
    with.access = std::move(issued.access);
    if (!issued.refresh.empty())
        with.refresh = std::move(issued.refresh); // else the one before stays good: RFC 6749 §6
    with.granted = issued.scopes.value_or(else_granted);
    with.usable_until = usable_until(now, issued.lifetime);
    return with;
}

} // namespace

login_flow::login_flow(asio::any_io_executor serial, url server, oauth_options options)
    : executor_(std::move(serial)), server_(over_http_alone(std::move(server))), options_(std::move(options))
{
    check_options(server_, options_);
    if (!options_.store.load)
        options_.store = memory_store();
    if (!options_.client_key.empty())
        key_.emplace(signing_client_key{client_key::read(options_.client_key), options_.client_key_id});
}

asio::awaitable<login_flow::token_answer> login_flow::ask_for_tokens(issuer_metadata at, client_identity who,
                                                                     form_writer form) const
{
    std::vector<field_text> fields;
    authenticate(form, fields, who, at, key_ ? &*key_ : nullptr, now());
    const std::string sent = form.take();
    client_request asked = post_of("application/x-www-form-urlencoded", sent);
    for (field_text& one : fields)
        asked.fields.push_back(std::move(one));
    const shown_secrets shown = secrets_in(sent, asked.fields, who);
    asked.secrets = shown;
    document_answer answer = co_await ask(at.token_endpoint, std::move(asked));
    token_answer read = read_token_answer(answer.status, std::move(answer.text), at);
    if (oauth_error* const refused = std::get_if<oauth_error>(&read)) {
        hide_secrets(*refused, shown);
        note_error(who, refused->code);
    }
    co_return read;
}

asio::awaitable<std::variant<held_tokens, oauth_error>> login_flow::refresh(found_issuer by, held_tokens with) const
{
    std::optional<client_identity> who = known_identity(by.issuer);
    if (!who)
        who = kept_identity(by.issuer);
    if (!who || who->id != with.client_id) {
        oauth_error lost;
        lost.code = "invalid_client";
        co_return lost;
    }
    form_writer form = refresh_request(with.refresh, with.granted, with.resource);
    token_answer answer = co_await ask_for_tokens(by.issuer, *who, std::move(form));
    if (oauth_error* const refused = std::get_if<oauth_error>(&answer))
        co_return std::move(*refused);
    const scope_set granted = with.granted;
    co_return made_of(std::move(std::get<issued_tokens>(answer)), granted, now(), std::move(with));
}

asio::awaitable<client_identity> login_flow::register_client(found_issuer by, scope_set scopes,
                                                             std::string redirect_uri) const
{
    registration_details details;
    details.name = options_.client_name;
    details.redirect_uri = std::move(redirect_uri);
    details.scopes = std::move(scopes);
    if (!details.scopes.empty()) // all that may be asked for later
        details.scopes.add(by.server.scopes_supported);
    client_request asked = post_of("application/json", registration_request(details, by.issuer));
    document_answer answer = co_await ask(by.issuer.registration_endpoint, std::move(asked));
    co_return read_registration(answer.status, std::move(answer.text), details, by.issuer);
}

struct login_flow::login_in_progress {
    scope_set scopes;
    bool& is_asking;
    const std::size_t& waiters;
    std::string client_id = {};
    bool is_by_kept = false; // by what was registered at an earlier login
};

asio::awaitable<login_answer> login_flow::wait_for_answer(redirect_listener& at, const login_wish& wish,
                                                          const issuer_metadata& of, const login_secrets& secrets) const
{
    const time_limit until = std::chrono::steady_clock::now() + options_.login_timeout;
    options_.open_page(login_page(of, wish, secrets));
    auto reader = [&](std::string_view target) { return read_login_answer(target, of, secrets); };
    return at.wait(std::move(reader), until);
}

// What is registered here is kept once the issuer has shown that it knows it. Until then it could be anybody's who only
// wants the store to be full.
asio::awaitable<login_flow::token_answer> login_flow::log_in_person(found_issuer by, login_in_progress& of) const
{
    check_login(by.issuer);
    std::optional<client_identity> who = known_identity(by.issuer);
    const bool is_registered = !who;
    std::optional<client_identity> kept = who ? std::nullopt : undoubted_identity(by.issuer);
    const std::unique_ptr<redirect_listener> at = listen(executor_, options_.redirect_port, kept);
    of.is_by_kept = kept.has_value();
    if (of.is_by_kept) {
        save_identity(*kept, true);
        who = std::move(kept);
    }
    if (!who)
        who = co_await register_client(by, of.scopes, at->redirect_uri());
    of.client_id = who->id;
    const login_wish wish = {who->id, at->redirect_uri(), by.server.resource, of.scopes};
    const login_secrets secrets = make_login_secrets();
    const login_answer answer = co_await wait_for_answer(*at, wish, by.issuer, secrets);
    const bool is_by_issuer = answer.outcome == login_outcome::code || !answer.error.empty();
    if (is_registered && is_by_issuer)
        save_identity(*who, false);
    note_error(*who, answer.error);
    if (of.is_by_kept && is_unknown_client(answer.error)) {
        oauth_error lost;
        lost.code = answer.error;
        co_return lost;
    }
    if (answer.outcome != login_outcome::code)
        refuse_login(answer.why, answer.error);
    form_writer form = code_request(answer.code, secrets.verifier, wish.redirect_uri, wish.resource);
    of.is_asking = true;
    co_return co_await ask_for_tokens(by.issuer, *who, std::move(form));
}

// Once more where the issuer has lost what was registered before.
asio::awaitable<login_flow::token_answer> login_flow::log_in_registered(found_issuer by, login_in_progress& of) const
{
    token_answer answer = co_await log_in_person(by, of);
    const oauth_error* const refused = std::get_if<oauth_error>(&answer);
    if (!refused || !of.is_by_kept || !is_unknown_client(refused->code) || of.waiters == 0)
        co_return answer;
    of.is_asking = false;
    co_return co_await log_in_person(std::move(by), of);
}

asio::awaitable<login_flow::token_answer> login_flow::log_in_program(found_issuer by, login_in_progress& of) const
{
    const std::optional<client_identity> who = known_identity(by.issuer);
    if (!who)
        refuse_login("the authorization server " + in_quotes(by.issuer.issuer) + " does not know this program's id");
    of.client_id = who->id;
    form_writer form = credentials_request(of.scopes, by.server.resource);
    return ask_for_tokens(by.issuer, *who, std::move(form));
}

asio::awaitable<held_tokens> login_flow::log_in(found_issuer by, scope_set scopes, bool& is_asking,
                                                const std::size_t& waiters) const
{
    login_in_progress of{std::move(scopes), is_asking, waiters};
    token_answer answer = issued_tokens();
    if (is_for_person())
        answer = co_await log_in_registered(by, of);
    else
        answer = co_await log_in_program(by, of);
    if (const oauth_error* const refused = std::get_if<oauth_error>(&answer))
        refuse_login("the authorization server " + in_quotes(by.issuer.issuer) +
                         " issues no token: " + words_of(*refused),
                     refused->code);
    held_tokens made;
    made.issuer = by.issuer.issuer;
    made.client_id = of.client_id;
    made.resource = by.server.resource;
    made.asked = of.scopes;
    co_return made_of(std::move(std::get<issued_tokens>(answer)), of.scopes, now(), std::move(made));
}

} // namespace partyline::http
