#include "session/sender_facts.hpp"

#include <algorithm>
#include <utility>

namespace partyline {

const sent_field* find_field(const sent_fields& among, std::string_view name) noexcept
{
    const auto is_same = [](char of_name, char lower) {
        return of_name == lower || (of_name >= 'A' && of_name <= 'Z' && char(of_name | 0x20) == lower);
    };
    for (const sent_field& each : among) {
        if (std::ranges::equal(name, each.name, is_same))
            return &each;
    }
    return nullptr;
}

void add_field(sent_fields& to, std::string name, std::string_view value)
{
    for (char& c : name)
        c = c >= 'A' && c <= 'Z' ? char(c | 0x20) : c;
    const auto known = std::ranges::find(to, name, &sent_field::name);
    if (known == to.end())
        to.push_back({std::move(name), std::string(value)});
    else
        known->value.append(", ").append(value);
}

void sender_facts::set_fields(sent_fields found)
{
    bytes = 0;
    for (const sent_field& each : found)
        bytes += sizeof each + each.name.size() + each.value.size();
    fields = found.empty() ? nullptr : std::make_shared<const sent_fields>(std::move(found));
}

} // namespace partyline
