#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp::skills {

// Where skills and their files are, as paths and as URIs.

inline constexpr std::string_view scheme = "skill://";
inline constexpr std::string_view entry_file = "SKILL.md";

/// How many bytes the path of a file or folder below "skill://" may have.
inline constexpr std::size_t max_path = 1024;
/// How many bytes a URI may have.
inline constexpr std::size_t max_uri = 8192;

/// Why it can't be the path of a file or folder below another one: "/" between segments, none of them empty, "." or
/// "..", in UTF-8 without control characters and "\", not too long. Empty: it can.
std::string path_problem(std::string_view path);
/// Why a skill can't have this name: 1 to 64 of `a-z0-9-`, no "-" in front, at the end or twice. Empty: it can.
std::string name_problem(std::string_view name);
/// Whether a file or folder can have this name: a `path` of one segment.
bool is_file_name(std::string_view text);
/// The last segment.
std::string_view last_segment(std::string_view path) noexcept;
/// What is in front of that, without the "/"; empty where there is nothing.
std::string_view parent_of(std::string_view path) noexcept;

/// The URI of a path below "skill://"; all but unreserved characters are percent-encoded.
std::string uri_of(std::string_view path);
/// The path that a URI of ours stands for, as the server knows resources: percent-decoded. Nothing for another scheme,
/// for a "%" without its digits, and for more than `max_uri`.
std::optional<std::string> path_of(std::string_view uri);
/// What tells URIs apart, of whatever scheme: the same for all ways to percent-encode one, and to write its scheme.
/// Nothing for a "%" without its digits, for a segment "." or "..", and for more than `max_uri`.
std::optional<std::string> spelling_key(std::string_view uri);

/// The part of the URI of a SKILL.md, of whatever scheme, that the skill's files have in front, "/" at its end. Nothing
/// where that is no URI of a SKILL.md in a folder.
std::optional<std::string_view> root_of(std::string_view skill_uri) noexcept;
/// The name of the skill: the last folder of its URI, percent-decoded.
std::optional<std::string> name_in(std::string_view skill_uri);

/// What tells the files of a skill apart: the path below its root of the file of this URI, however that is
/// percent-encoded, "." and ".." resolved. Nothing for what is no file below the root, and for more than `max_uri`.
std::optional<std::string> key_of_uri(std::string_view skill_uri, std::string_view uri);
/// The same of a URI, or of a path as a SKILL.md has it.
std::optional<std::string> file_key(std::string_view skill_uri, std::string_view reference);
/// Whether the parts of such a key are names that a file and its folders can have: "%2F" stands for no such one.
bool has_file_names(std::string_view key);
/// The URI in that, without a fragment; empty if it is a path.
std::string_view uri_in(std::string_view skill_uri, std::string_view reference);
/// The URI of the file of that key.
std::string file_uri(std::string_view skill_uri, std::string_view key);

} // namespace partyline::mcp::skills
