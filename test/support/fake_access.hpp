#pragma once

#include <partyline/session/access_control.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::test {

using named_answers = std::map<std::string, access_answer, std::less<>>;

/// The rights of one peer, as a test has them: by "tools/call" for a method, by "tools/call add" for one of its features.
struct fake_view final : access_view {
    fake_view(access_answer others, named_answers named, std::vector<std::string> scopes = {"files:write"})
        : otherwise(others), answers(std::move(named)), required(std::move(scopes))
    {
    }

    access_verdict judge(std::string_view method, std::string_view key) const noexcept override
    {
        std::string name(method);
        if (!key.empty())
            name.append(" ").append(key);
        const auto found = answers.find(name);
        const access_answer is = found == answers.end() ? otherwise : found->second;
        return {is, is == access_answer::lacks_scope ? required : std::span<const std::string>()};
    }

    const access_answer otherwise;
    const named_answers answers;
    const std::vector<std::string> required; // by what lacks scopes
};

/// A view that allows what is not named.
inline std::shared_ptr<const fake_view> allow_others(named_answers named)
{
    return std::make_shared<const fake_view>(access_answer::allowed, std::move(named));
}

/// The field of a request that shows a token.
inline std::string bearer(std::string_view token)
{
    return "Authorization: Bearer " + std::string(token) + "\r\n";
}

/// Admits and refuses as a test says, by the tokens that requests show. It knows no time: a test has tokens expire.
///
/// Thread safety: all of it, from any thread.
class fake_access final : public access_control {
public:
    /// The token admits this peer from now on. Where it admitted one of this name already, that one's rights have
    /// changed.
    std::shared_ptr<const access_grant> admit(std::string_view token, std::string principal,
                                              std::shared_ptr<const access_view> view = {},
                                              std::shared_ptr<request_quota> quota = {})
    {
        auto peer = std::make_shared<peer_identity>();
        peer->principal = std::move(principal);
        peer->source = "token";
        auto grant =
            std::make_shared<const access_grant>(access_grant{std::move(peer), std::move(view), std::move(quota)});
        const std::lock_guard lock(mutex_);
        answers_[std::string(token)] = {authentication_outcome::admitted, grant};
        granted_.emplace_back(grant, token);
        return grant;
    }
    /// The token is answered so from now on, as are conversations of whoever it has admitted.
    void refuse(std::string_view token, authentication_outcome how)
    {
        const std::lock_guard lock(mutex_);
        answers_[std::string(token)] = {how, {}};
    }
    /// Peers without a token are this one from now on.
    std::shared_ptr<const access_grant> admit_others(std::shared_ptr<const access_view> view = {})
    {
        return admit({}, "anonymous", std::move(view));
    }
    /// All attempts are answered so from now on; unset: each by its token.
    void refuse_all(std::optional<authentication_outcome> how)
    {
        const std::lock_guard lock(mutex_);
        for_all_ = how;
    }
    void publish(protected_resource what)
    {
        const std::lock_guard lock(mutex_);
        resource_ = std::make_shared<const protected_resource>(std::move(what));
    }
    /// How many attempts there were.
    std::size_t attempts() const
    {
        const std::lock_guard lock(mutex_);
        return attempts_;
    }
    /// The peer that asked last, as far as its connection tells.
    peer_identity last_peer() const
    {
        const std::lock_guard lock(mutex_);
        return last_peer_;
    }

    // access_control
    authentication authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                std::chrono::system_clock::time_point) noexcept override
    {
        const std::lock_guard lock(mutex_);
        ++attempts_;
        last_peer_ = from;
        if (for_all_)
            return {*for_all_, {}};
        const std::optional<std::string_view> token = authorization ? read_bearer(*authorization) : std::string_view();
        if (!token)
            return {authentication_outcome::malformed, {}};
        const auto found = answers_.find(*token);
        if (found != answers_.end())
            return found->second;
        return {token->empty() ? authentication_outcome::missing : authentication_outcome::invalid, {}};
    }
    authentication renew(const std::shared_ptr<const access_grant>& grant,
                         std::chrono::system_clock::time_point) noexcept override
    {
        const std::lock_guard lock(mutex_);
        const auto known =
            std::find_if(granted_.begin(), granted_.end(), [&](const auto& each) { return each.first == grant; });
        return known == granted_.end() ? authentication{authentication_outcome::invalid, {}} : answers_[known->second];
    }
    std::shared_ptr<const protected_resource> resource() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return resource_;
    }

private:
    // RFC 6750 §2.1: the scheme in whatever case, blanks, and a token. Empty where it is none.
    static std::optional<std::string_view> read_bearer(std::string_view value) noexcept
    {
        constexpr std::string_view scheme = "bearer ";
        constexpr std::size_t longest = std::size_t(8) << 10;
        const auto is_letter_of_token = [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   std::string_view("-._~+/=").find(c) != std::string_view::npos;
        };
        const bool is_bearer = value.size() > scheme.size() &&
                               std::equal(scheme.begin(), scheme.end(), value.begin(),
                                          [](char lower, char c) { return c == lower || (c | 0x20) == lower; });
        if (!is_bearer)
            return std::nullopt;
        const std::string_view token =
            value.substr(std::min(value.find_first_not_of(' ', scheme.size()), value.size()));
        const bool is_one =
            !token.empty() && token.size() <= longest && std::all_of(token.begin(), token.end(), is_letter_of_token);
        return is_one ? std::optional(token) : std::nullopt;
    }

    mutable std::mutex mutex_;
    std::map<std::string, authentication, std::less<>> answers_; // by token; of the empty one where none is shown
    std::vector<std::pair<std::shared_ptr<const access_grant>, std::string>> granted_;
    std::optional<authentication_outcome> for_all_;
    std::shared_ptr<const protected_resource> resource_;
    peer_identity last_peer_;
    std::size_t attempts_ = 0;
};

} // namespace partyline::test
