#include "tls/context/identity_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace partyline::tls {
namespace {

constexpr std::size_t max_name = 255; // RFC 1035 §2.3.4

} // namespace

void identity_table::add(identity entry)
{
    for (std::string& name : entry.host_names())
        by_name_[std::move(name)].push_back(entries_.size());
    entries_.push_back(std::move(entry));
}

// It is called within OpenSSL, where nothing may be thrown: so nothing is allocated.
const std::vector<std::size_t>& identity_table::find(std::string_view name) const noexcept
{
    std::array<char, max_name + 1> text;
    if (name.empty() || name.size() > max_name)
        return none_;
    std::transform(name.begin(), name.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const std::string_view exact(text.data(), name.size());
    if (const auto found = by_name_.find(exact); found != by_name_.end())
        return found->second;
    const std::size_t dot = exact.find('.');
    if (dot == exact.npos || dot == 0)
        return none_;
    text[dot - 1] = '*'; // a wildcard stands for one whole label
    const auto found = by_name_.find(exact.substr(dot - 1));
    return found != by_name_.end() ? found->second : none_;
}

} // namespace partyline::tls
