#pragma once

#include "protocol/json/for_each_member.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline {

/// Where the members of an object are, if these are few and their names have no escapes, as most are.
class member_list {
public:
    /// `unknown`: nobody has looked. `incomplete`: not all of them are here.
    enum class state : std::uint8_t { unknown, incomplete, complete };

    state is() const noexcept { return is_; }
    void forget() noexcept { is_ = state::unknown; }

    void begin() noexcept
    {
        is_ = state::complete;
        count_ = 0;
    }
    void add(const member_text& one) noexcept
    {
        const bool has_escapes = one.name.data() != one.whole.data() + 1;
        if (has_escapes || count_ == members_.size())
            is_ = state::incomplete;
        else
            members_[count_++] = {one.name, one.value};
    }

    /// Empty where there is none; of duplicates the last.
    std::string_view find(std::string_view name) const noexcept
    {
        for (std::size_t i = count_; i != 0; --i)
            if (members_[i - 1].name == name)
                return members_[i - 1].value;
        return {};
    }

private:
    struct member {
        std::string_view name;
        std::string_view value;
    };

    std::array<member, 8> members_;
    std::size_t count_ = 0;
    state is_ = state::unknown;
};

} // namespace partyline
