#include "http/oauth/oauth_core.hpp"

#include "http/oauth/login_failure.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// A token that comes from a refresh, and is refused within this time, is not refreshed again.
constexpr std::chrono::minutes trial_of_refreshed{1};

// After a renewal that has come to nothing without the server's words, this long each request asks the server first.
constexpr std::chrono::minutes pause_of_renewals{1};

// A refusal that says nothing against the refresh token.
bool is_passing(const oauth_error& refusal) noexcept
{
    constexpr int request_timeout = 408;
    constexpr int too_many_requests = 429;
    return refusal.status >= 500 || refusal.status == too_many_requests || refusal.status == request_timeout ||
           refusal.code == "server_error" || refusal.code == "temporarily_unavailable" || refusal.code == "slow_down";
}

} // namespace

// What is done to get another token. It ends by itself, or when nobody waits for it any more; but once it has asked for
// tokens it gets these, since the refresh token or the code that it has sent can't be used again.
struct oauth_core::renewal {
    renewal(const asio::any_io_executor& strand, std::optional<challenge> since)
        : after(std::move(since)), has_ended(strand)
    {
    }

    std::optional<challenge> after;
    async_event has_ended;
    asio::cancellation_signal cancel;
    std::size_t waiters = 0;
    bool is_asking_for_tokens = false;
    std::exception_ptr failed;
};

// A request that waits for a renewal.
class oauth_core::waiting {
public:
    waiting(oauth_core& in, std::shared_ptr<renewal> for_it) : in_(in), for_(std::move(for_it)) { ++for_->waiters; }
    ~waiting()
    {
        if (--for_->waiters == 0)
            in_.abandon(for_);
    }
    waiting(const waiting&) = delete;
    waiting& operator=(const waiting&) = delete;

private:
    oauth_core& in_;
    std::shared_ptr<renewal> for_;
};

oauth_core::oauth_core(const asio::any_io_executor& executor, const std::string& server, oauth_options options)
    : strand_(asio::make_strand(executor)), server_(server), flow_(strand_, parse_url(server), std::move(options))
{
}

std::optional<std::string> oauth_core::known()
{
    const std::lock_guard lock(mutex_);
    if (!is_loaded_)
        return std::nullopt;
    switch (step_for(std::nullopt, false)) {
    case token_step::use: return tokens_.access;
    case token_step::renew: return std::nullopt;
    default: return std::string();
    }
}

bool oauth_core::can_renew_alone() const
{
    const bool has_had_one = !tokens_.issuer.empty();
    return !waits_for_refusal() && (!tokens_.refresh.empty() || (!flow_.is_for_person() && has_had_one));
}

// A clock that was set back ends it, too.
bool oauth_core::waits_for_refusal() const
{
    const held_tokens::time_point now = flow_.now();
    return useless_ && now >= *useless_ && now - *useless_ < pause_of_renewals;
}

void oauth_core::wait_for_refusal()
{
    const std::lock_guard lock(mutex_);
    useless_ = flow_.now();
}

token_step oauth_core::step_for(const std::optional<challenge>& after, bool has_just_renewed)
{
    token_situation is = {.now = flow_.now(), .can_renew_alone = can_renew_alone()};
    is.has_just_renewed = has_just_renewed;
    is.waits_for_refusal = waits_for_refusal();
    return next_step(tokens_, after, is);
}

asio::awaitable<std::string> oauth_core::get(std::optional<challenge> after)
{
    co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
    load();
    bool has_just_renewed = false;
    while (!has_stopped_) {
        const token_step step = step_for(after, has_just_renewed);
        if (step == token_step::refuse)
            refuse_login(words_of(*after));
        if (step != token_step::renew)
            co_return step == token_step::use ? tokens_.access : std::string();
        const bool is_own = !renewal_;
        std::shared_ptr<renewal> of = is_own ? begin(after) : renewal_;
        co_await wait(std::move(of));
        has_just_renewed = true;
        if (is_own)
            co_return tokens_.access;
    }
    throw boost::system::system_error(asio::error::operation_aborted);
}

asio::awaitable<void> oauth_core::wait(std::shared_ptr<renewal> for_it)
{
    const waiting one(*this, for_it);
    co_await for_it->has_ended.async_wait(asio::use_awaitable);
    if (for_it->failed)
        std::rethrow_exception(for_it->failed);
}

std::shared_ptr<oauth_core::renewal> oauth_core::begin(std::optional<challenge> after)
{
    renewal_ = std::make_shared<renewal>(strand_, std::move(after));
    asio::co_spawn(
        strand_, [self = shared_from_this(), of = renewal_] { return self->renew(of); },
        asio::bind_cancellation_slot(renewal_->cancel.slot(),
                                     [self = shared_from_this(), of = renewal_](std::exception_ptr failed) {
                                         self->end(of, std::move(failed));
                                     }));
    return renewal_;
}

void oauth_core::end(const std::shared_ptr<renewal>& of, std::exception_ptr failed) noexcept
{
    of->failed = std::move(failed);
    if (renewal_ == of)
        renewal_ = nullptr;
    of->has_ended.set();
}

void oauth_core::abandon(const std::shared_ptr<renewal>& of) noexcept
{
    if (renewal_ != of || of->is_asking_for_tokens)
        return;
    renewal_ = nullptr; // who comes now begins another one
    of->cancel.emit(asio::cancellation_type::all);
}

void oauth_core::stop()
{
    asio::dispatch(strand_, [self = shared_from_this()] {
        self->has_stopped_ = true;
        const std::shared_ptr<renewal> of = std::exchange(self->renewal_, nullptr);
        if (of)
            of->cancel.emit(asio::cancellation_type::all);
    });
}

asio::awaitable<void> oauth_core::renew(std::shared_ptr<renewal> of)
{
    co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
    std::optional<found_issuer> by = co_await flow_.find(of->after, tokens_.metadata);
    const bool is_same = by && is_issuer_of_tokens(*by);
    if (!is_same && !of->after) { // the server is to say what it wants
        wait_for_refusal();
        co_return;
    }
    if (is_same && is_refresh_due(tokens_, of->after, has_just_refreshed())) {
        const bool is_done = co_await refresh(of, *by);
        if (is_done || of->waiters == 0) // nobody is to log in for requests that are gone
            co_return;
    }
    of->is_asking_for_tokens = false;
    held_tokens before; // scopes of another issuer mean nothing to this one
    if (is_same)
        before = tokens_;
    co_await log_in(of, std::move(*by), std::move(before));
}

bool oauth_core::has_just_refreshed() const noexcept
{
    return refreshed_ && std::chrono::steady_clock::now() - *refreshed_ < trial_of_refreshed;
}

bool oauth_core::is_issuer_of_tokens(const found_issuer& by) const
{
    const oauth_options& how = flow_.options();
    const bool is_same = tokens_.issuer == by.issuer.issuer;
    const bool is_held_to_it = !how.client_id.empty() && how.issuer.empty() && !tokens_.issuer.empty();
    if (is_held_to_it && !is_same)
        refuse_login("the server names another authorization server than before, " + in_quotes(by.issuer.issuer) +
                     ", and the client id is of " + in_quotes(tokens_.issuer));
    return is_same && tokens_.resource == by.server.resource;
}

// False where a login is due. Others wait, then find the tokens that have come, and use these.
asio::awaitable<bool> oauth_core::refresh(std::shared_ptr<renewal> of, found_issuer by)
{
    const std::shared_ptr<void> lock = co_await lock_kept();
    held_tokens kept = read_kept();
    const bool is_used_up = is_used_up_by(kept);
    if (take_kept(std::move(kept), of->after.has_value()))
        co_return true;
    if (is_used_up)
        co_return false;
    of->is_asking_for_tokens = true;
    auto answer = co_await flow_.refresh(by, tokens_);
    if (const oauth_error* const refused = std::get_if<oauth_error>(&answer))
        co_return take_refusal(*of, *refused, by);
    held_tokens made = std::move(std::get<held_tokens>(answer));
    made.metadata = by.server.address;
    made.count = tokens_.count + 1;
    hold(std::move(made));
    keep();
    if (of->after)
        refreshed_ = std::chrono::steady_clock::now();
    co_return true;
}

// Whether the renewal has ended by it.
bool oauth_core::take_refusal(const renewal& of, const oauth_error& refused, const found_issuer& by)
{
    if (is_passing(refused))
        refuse_login("the authorization server " + in_quotes(by.issuer.issuer) +
                     " does not refresh the token: " + words_of(refused));
    if (take_kept(read_kept(),
                  of.after.has_value())) // another process was faster, and the issuer takes a refresh token once
        return true;
    if (refused.code.empty()) { // there may be something else where its token endpoint was
        if (!of.after)
            wait_for_refusal();
        return !of.after;
    }
    held_tokens left = tokens_;
    left.refresh.clear();
    left.access.clear();
    hold(std::move(left));
    keep();
    return false;
}

asio::awaitable<void> oauth_core::log_in(std::shared_ptr<renewal> of, found_issuer by, held_tokens before)
{
    const scope_set by_user(flow_.options().scopes);
    scope_set scopes = scopes_to_ask(of->after, before, by_user, by.server, by.issuer, flow_.is_for_person());
    std::string metadata = by.server.address;
    if (of->after && !logins_.allows(scopes, std::chrono::steady_clock::now()))
        refuse_login(words_of(*of->after) + "; it has refused the tokens of " + std::to_string(login_limit::most) +
                     " logins for the same scopes");
    try {
        held_tokens made =
            co_await flow_.log_in(std::move(by), std::move(scopes), of->is_asking_for_tokens, of->waiters);
        made.metadata = std::move(metadata);
        made.count = tokens_.count + 1;
        if (of->after)
            logins_.count(made.asked, std::chrono::steady_clock::now());
        hold(std::move(made));
    } catch (const login_refusal& refusal) {
        if (refusal.error() == "invalid_scope")
            forget_scopes();
        throw;
    }
    refreshed_.reset();
    keep();
}

} // namespace partyline::http
