#include "http/oauth/scope_set.hpp"

#include <algorithm>

namespace partyline::http {
namespace {

constexpr std::size_t max_scopes = 256;
constexpr std::size_t max_scope_bytes = 4096;

bool is_one_scope(std::string_view text) noexcept
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\'; });
}

std::string joined(const std::vector<std::string>& scopes)
{
    std::string text;
    for (const std::string& one : scopes)
        text.append(text.empty() ? "" : " ").append(one);
    return text;
}

} // namespace

scope_set::scope_set(const std::vector<std::string>& all)
{
    for (const std::string& one : all)
        add(one);
}

scope_set scope_set::read(std::string_view text)
{
    scope_set read;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(one.size() + 1, text.size()));
        read.add(one);
    }
    return read;
}

void scope_set::add(std::string_view scope)
{
    if (all_.size() == max_scopes || bytes_ + scope.size() >= max_scope_bytes || !is_one_scope(scope) || has(scope))
        return;
    all_.emplace_back(scope);
    bytes_ += scope.size() + 1;
}

void scope_set::add(const scope_set& others)
{
    for (const std::string& one : others.all_)
        add(one);
}

void scope_set::remove(std::string_view scope)
{
    if (std::erase(all_, scope) != 0)
        bytes_ -= scope.size() + 1;
}

bool scope_set::has(std::string_view scope) const noexcept
{
    return std::find(all_.begin(), all_.end(), scope) != all_.end();
}

bool scope_set::has_all(const scope_set& others) const noexcept
{
    return std::all_of(others.all_.begin(), others.all_.end(), [this](const std::string& one) { return has(one); });
}

std::string scope_set::text() const
{
    return joined(all_);
}

std::string scope_set::sorted_text() const
{
    std::vector<std::string> sorted = all_;
    std::sort(sorted.begin(), sorted.end());
    return joined(sorted);
}

} // namespace partyline::http
