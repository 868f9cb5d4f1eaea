// The tokens of a client, in memory and in its store.

#include "http/oauth/oauth_core.hpp"

#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

std::string oauth_core::name_of_tokens() const
{
    return tokens_name(resource_of(flow_.server()));
}

// Null where there is nobody to hold back.
asio::awaitable<std::shared_ptr<void>> oauth_core::lock_kept() const
{
    const oauth_store& store = flow_.options().store;
    if (!store.lock)
        co_return nullptr;
    co_return co_await store.lock(name_of_tokens());
}

held_tokens oauth_core::read_kept() const
{
    const oauth_options& how = flow_.options();
    const std::string text = how.store.load(name_of_tokens());
    std::optional<held_tokens> kept = read_tokens(text);
    const bool is_of_other_id = kept && !how.client_id.empty() && kept->client_id != how.client_id;
    return kept && !is_of_other_id ? std::move(*kept) : held_tokens();
}

void oauth_core::load()
{
    if (is_loaded_)
        return;
    hold(read_kept());
}

// The issuer has refused them when another process has shown them.
bool oauth_core::is_used_up_by(const held_tokens& kept) const
{
    return kept.issuer == tokens_.issuer && kept.resource == tokens_.resource && kept.count >= tokens_.count &&
           kept.access.empty() && kept.refresh.empty();
}

// Of another process, which has refreshed the tokens, or has logged in, since they were read here. What is older has
// been left where ours could not be saved: its refresh token is used up. Some issuers repeat an access token, which is
// of no use where the server has refused it, beside a new refresh token, which is.
bool oauth_core::take_kept(held_tokens kept, bool is_refused)
{
    const bool is_other = kept.issuer == tokens_.issuer && kept.resource == tokens_.resource && !kept.access.empty() &&
                          !is_same_pair(kept, tokens_);
    const bool is_access_new = !is_same_secret(kept.access, tokens_.access);
    const bool is_usable = next_step(kept, std::nullopt, {.now = flow_.now()}) == token_step::use;
    const bool is_later = kept.usable_until && tokens_.usable_until && *kept.usable_until > *tokens_.usable_until;
    const bool is_newer = kept.count > tokens_.count || (is_access_new && (is_usable || is_later));
    if (!is_other || !is_newer)
        return false;
    hold(std::move(kept));
    return is_usable && (is_access_new || !is_refused);
}

void oauth_core::hold(held_tokens tokens)
{
    const std::lock_guard lock(mutex_);
    tokens_ = std::move(tokens);
    is_loaded_ = true;
    useless_.reset();
}

// One of those before may be gone: the next login does without them, be it that of the next run.
void oauth_core::forget_scopes()
{
    held_tokens left = tokens_;
    left.asked = left.granted = scope_set();
    hold(std::move(left));
    const held_tokens kept = read_kept();
    if (!kept.issuer.empty() && is_same_pair(kept, tokens_)) // not those of another process
        keep();
}

void oauth_core::keep()
{
    flow_.options().store.save(name_of_tokens(), to_text(tokens_));
}

} // namespace partyline::http
