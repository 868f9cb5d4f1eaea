#pragma once

#include <partyline/protocol/json_text.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::access {

/// The members of a JSON object in which no name comes twice: of two members with one name, two readers may see
/// different ones.
class object_members {
public:
    object_members() = default;

    /// Reads a text that is one object and nothing else, nested no deeper than `depth`. Nothing where it is none, where
    /// a name comes twice in it (the objects in it may have any names), or where a string is no Unicode text (a lone
    /// surrogate). Costs n log n for n members.
    static std::optional<object_members> read(std::string text, std::size_t depth);

    /// The value of a member, valid as long as this; empty where there is none.
    json_view find(std::string_view name) const noexcept;

private:
    struct member {
        std::string name;
        std::size_t begin; // of its value, in the text
        std::size_t size;
    };

    bool sort_by_name();

    std::string text_;
    std::vector<member> members_;
};

/// The string that a value is; nothing where it is none.
std::optional<std::string> text_of(json_view value);

/// The number that a value is, where a double has it.
std::optional<double> number_of(json_view value) noexcept;

/// The elements that an array has; nothing where the value is none.
std::optional<std::vector<json_view>> elements_of(json_view value);

} // namespace partyline::access
