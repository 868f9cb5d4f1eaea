#pragma once

#include <partyline/protocol/json_text.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace gateway {

/// The exact text of the value that stands in an object at a path of names; empty where there is none. It points into
/// `of`, which is a message or has come in one.
std::string_view member_text(std::string_view of, std::initializer_list<std::string_view> path);
std::string_view member_text(const partyline::json_text& of, std::initializer_list<std::string_view> path);

/// A string, decoded; nothing where the value is none, or one that is no UTF-8 (a lone surrogate).
std::optional<std::string> string_of(partyline::json_view value);
/// The string that stands at such a path.
std::optional<std::string> member_string(const partyline::json_text& of, std::initializer_list<std::string_view> path);

/// The text at a path where the member is mostly missing: first searches for the last name of the path in the text,
/// which is cheap.
std::string_view rare_member_text(const partyline::json_text& of, std::initializer_list<std::string_view> path);

/// A copy of the text with `by` in the place of `part`, which points into it.
partyline::json_text with_replaced(const partyline::json_text& of, std::string_view part, std::string_view by);

/// The text of an object with one more member, which stands first: `"name":value`.
std::string with_member(std::string_view object, std::string_view member);

} // namespace gateway
