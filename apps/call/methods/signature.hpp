#pragma once

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace call {

// What lists of what there is to be called are made of. All text is for a terminal, whatever the server says.

/// The member of an object; null where there is none.
const boost::json::value* find_member(const boost::json::value* of, std::string_view name);
/// A string as text; empty for anything else.
std::string text_of(const boost::json::value* value);

/// JSON on one line, with numbers as results have them, not as Boost.JSON writes them: 1.5, not 1.5E0.
std::string json_words(const boost::json::value& value);

/// What a JSON Schema takes: "integer", "string[]", "\"a\"|\"b\"". Empty where it does not say.
std::string type_of(const boost::json::value* schema);
/// "name?: type = default"; the question mark: it may be left out.
std::string describe_parameter(std::string_view name, bool is_optional, const boost::json::value* schema);

/// How something is called, and what it does.
struct signature_line {
    std::string signature;
    std::string text;
};

/// A line each, with the texts below each other.
std::string align(std::vector<signature_line> lines);

} // namespace call
