#pragma once

#include <partyline/protocol/byte_buffer.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp {

// Objects that an author has had a hand in, as text. They throw `std::invalid_argument` where one is no JSON: a text
// that is not UTF-8, a number that is none.

void write_object(byte_buffer& out, const boost::json::object& of);
std::string object_text(const boost::json::object& of);

/// The members of an object, which is valid, without that one, as they stand there, with commas between them.
std::string members_without(std::string_view name, std::string_view object);

/// Puts a member, whose value is JSON text, at the end of an object that has been written.
void add_written_member(byte_buffer& to, std::string_view name, std::string_view value);

} // namespace partyline::mcp
