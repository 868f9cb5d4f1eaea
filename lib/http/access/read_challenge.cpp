#include "http/access/read_challenge.hpp"

#include "http/wire/characters.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::http {
namespace {

constexpr std::size_t longest_field = 8192;
constexpr std::size_t most_params = 32; // of all challenges of a field

struct challenge_param {
    std::string name; // in lower case
    std::string value;
};

struct read_scheme {
    std::string_view scheme;
    std::vector<challenge_param> params = {};
};

bool is_bearer(std::string_view scheme)
{
    return is_name(scheme, "bearer");
}

bool is_token68_char(char c) noexcept
{
    return (is_in(c, is_token_char) && std::string_view("!#$%&'*^`|").find(c) == std::string_view::npos) || c == '/';
}

/// Reads one field: a list of challenges, whose parameters are elements of the same list.
class challenge_list_reader {
public:
    explicit challenge_list_reader(std::string_view text) : text_(text) {}

    /// Nothing where the field breaks the grammar.
    std::optional<std::vector<read_scheme>> read()
    {
        while (skip_to_element()) {
            if (!read_element() || !is_at_end_of_element())
                return std::nullopt;
        }
        return std::move(all_);
    }

private:
    bool is_at_end() const noexcept { return at_ == text_.size(); }
    void skip_blanks() noexcept
    {
        while (!is_at_end() && is_blank(text_[at_]))
            ++at_;
    }
    // Empty elements mean nothing (RFC 9110 §5.6.1.2).
    bool skip_to_element() noexcept
    {
        while (!is_at_end() && (is_blank(text_[at_]) || text_[at_] == ','))
            ++at_;
        return !is_at_end();
    }
    bool is_at_end_of_element() noexcept
    {
        skip_blanks();
        return is_at_end() || text_[at_] == ',';
    }
    std::string_view read_token() noexcept
    {
        const std::size_t begin = at_;
        while (!is_at_end() && is_in(text_[at_], is_token_char))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    // A parameter of the last challenge, or the beginning of the next one.
    bool read_element()
    {
        const std::size_t begin = at_;
        const std::string_view name = read_token();
        if (name.empty())
            return false;
        if (is_at_end_of_element()) {
            all_.push_back({name});
            has_token68_ = false;
            return true;
        }
        if (text_[at_] == '=')
            return !all_.empty() && !has_token68_ && read_param(begin);
        if (!is_blank(text_[at_ - 1])) // as `Bearer"x"`
            return false;
        all_.push_back({name});
        has_token68_ = skip_token68();
        return has_token68_ || read_param(at_);
    }

    // Credentials of schemes such as Negotiate, in place of parameters; none is of use here.
    bool skip_token68() noexcept
    {
        const std::size_t begin = at_;
        while (!is_at_end() && is_token68_char(text_[at_]))
            ++at_;
        const bool has_some = at_ != begin;
        while (!is_at_end() && text_[at_] == '=')
            ++at_;
        if (has_some && is_at_end_of_element())
            return true;
        at_ = begin;
        return false;
    }

    bool read_param(std::size_t begin)
    {
        at_ = begin;
        challenge_param one{lower_case(read_token()), {}};
        skip_blanks();
        if (one.name.empty() || is_at_end() || text_[at_++] != '=')
            return false;
        skip_blanks();
        const bool is_quoted = !is_at_end() && text_[at_] == '"';
        const bool is_read = is_quoted ? read_quoted(one.value) : read_plain(one.value);
        std::vector<challenge_param>& params = all_.back().params;
        const bool is_repeated =
            std::ranges::any_of(params, [&](const challenge_param& other) { return other.name == one.name; });
        if (!is_read || is_repeated || count_++ == most_params)
            return false;
        params.push_back(std::move(one));
        return true;
    }

    bool read_plain(std::string& value)
    {
        value = read_token();
        return !value.empty();
    }

    bool read_quoted(std::string& value)
    {
        for (++at_; !is_at_end() && text_[at_] != '"'; ++at_) {
            if (text_[at_] == '\\' && ++at_ == text_.size())
                return false;
            value += text_[at_];
        }
        return at_++ < text_.size();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t count_ = 0;    // of the parameters
    bool has_token68_ = false; // the last challenge, which then has no parameters
    std::vector<read_scheme> all_;
};

void take_param(challenge& to, challenge_param&& one)
{
    constexpr std::pair<std::string_view, std::string challenge::*> members[] = {
        {"error", &challenge::error},
        {"error_description", &challenge::error_description},
        {"scope", &challenge::scope},
        {"resource_metadata", &challenge::resource_metadata}};
    for (const auto& [name, member] : members) {
        if (one.name == name)
            to.*member = std::move(one.value);
    }
}

} // namespace

challenge read_challenge(int status, std::span<const field> fields)
{
    challenge told;
    told.status = status;
    for (const field& one : fields) {
        if (!is_name(one.name, "www-authenticate") || one.value.size() > longest_field)
            continue;
        auto all = challenge_list_reader(one.value).read();
        if (!all || all->empty())
            continue;
        const auto bearer = std::ranges::find_if(*all, is_bearer, &read_scheme::scheme);
        if (told.scheme.empty())
            told.scheme = all->front().scheme;
        if (bearer == all->end())
            continue;
        told.scheme = "Bearer";
        for (challenge_param& param : bearer->params)
            take_param(told, std::move(param));
        break;
    }
    return told;
}

} // namespace partyline::http
