// The tokens of a client, in memory and in its store.

#include "http/oauth/oauth_core.hpp"

#include <utility>

namespace partyline::http {

held_tokens oauth_core::read_kept() const
{
    const oauth_options& how = flow_.options();
    const std::string text = how.store.load(tokens_name(resource_of(flow_.server())));
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

// Of another process, which has refreshed the tokens, or has logged in, since they were read here. What is older has
// been left where ours could not be saved: its refresh token is used up.
bool oauth_core::take_kept(held_tokens kept)
{
    const bool is_other = kept.issuer == tokens_.issuer && kept.resource == tokens_.resource && !kept.access.empty() &&
                          !is_same_secret(kept.access, tokens_.access);
    const bool is_usable = next_step(kept, std::nullopt, {.now = flow_.now()}) == token_step::use;
    const bool is_later = kept.usable_until && tokens_.usable_until && *kept.usable_until > *tokens_.usable_until;
    if (!is_other || !(is_usable || is_later))
        return false;
    hold(std::move(kept));
    return is_usable;
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
    if (!kept.issuer.empty() && is_same_secret(kept.access, tokens_.access)) // not those of another process
        keep();
}

void oauth_core::keep()
{
    flow_.options().store.save(tokens_name(resource_of(flow_.server())), to_text(tokens_));
}

} // namespace partyline::http
