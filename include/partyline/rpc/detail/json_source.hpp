#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/wire_text.hpp>
#include <partyline/session/binding.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::detail {

class json_source;

/// An argument of a handler or a member of a struct, as reading it needs it.
struct read_row {
    wire_text name; // of a member
    bool is_required;
    /// Reads it into the arguments or the struct that it is part of. A member that is left out is read from a source
    /// without a value.
    bool (*read)(void* into, json_source& from);
    bool is_raw = false;     // its text is wanted, not its value
    bool is_checked = false; // rules look at what is read: so it is, also where it is only asked for
};

/// A described struct, as reading it needs it.
struct member_table {
    array_view<const read_row> rows;
    std::optional<unknown_members> unknown; // what its notes say of those that there are no rows for
};

/// The expected value in plain words: "integer".
using expected_words = std::string (*)();

/// A variant, as reading it needs it. Each function reads as one of the alternatives, into the variant; null: it is
/// only asked whether it could.
struct alternative_table {
    array_view<bool (*const)(json_source& from, void* into)> readers;
    expected_words expected;
};

/// Returns JSON as C++ values, piece by piece: the reader need not know whether it is text or a value.
///
/// Flow: a scalar; or `begin_array()`, and each element after a `next_element()`; or `begin_object()`, and each
/// member's value after a `next_member()`; or `read_members()`, for the rows of a table.
///
/// Functions that read return whether they have read a value of the type that was asked for. False ends the reading:
/// there is another value. A source of values has noted that as a problem, with its place, if anybody wants to know it.
/// A source of text says no more: also where only a value shows it to be right (2.0 as an integer, of members of the
/// same name the last). So a type that could not be read from text is read once more from a value. A member that is
/// left out is a source without a value, which can only be read as null.
class PARTYLINE_EXPORT json_source {
public:
    json_source(const json_source&) = delete;
    json_source& operator=(const json_source&) = delete;

    /// Whether there is null, or no value; then it is read.
    virtual bool read_null() = 0;
    virtual bool read_bool(bool& into) = 0;
    virtual bool read_signed(std::int64_t& into, std::int64_t min, std::int64_t max) = 0;
    virtual bool read_unsigned(std::uint64_t& into, std::uint64_t max) = 0;
    /// A number between -`max` and `max`.
    virtual bool read_double(double& into, double max) = 0;
    /// The view is valid until another string or name is read.
    virtual bool read_string(std::string_view& into) = 0;
    virtual bool read_string(std::string& into) = 0;
    /// Reads a string whose view is valid as long as the source's text or value.
    virtual bool read_view(std::string_view& into) = 0;
    /// Any value, in default storage.
    virtual bool read_value(boost::json::value& into) = 0;
    /// The value, to look at it. Null where there is none: no value is made of text.
    virtual const boost::json::value* value() const noexcept = 0;
    /// Any value as the text that it came as, of which only text knows.
    virtual bool read_raw(json_view& into) = 0;

    virtual bool begin_array() = 0;
    /// Begins an array of exactly so many elements.
    virtual bool begin_array(std::size_t size) = 0;
    /// To the next element; false when there is none, which ends the array.
    virtual bool next_element() = 0;
    virtual bool begin_object() = 0;
    /// To the next member's value; false when there is none, which ends the object: see `has_failed()`. `name` is valid
    /// until another string or name is read.
    virtual bool next_member(std::string_view& name) = 0;
    /// Whether a name could not be read; then nothing more can be read.
    bool has_failed() const noexcept { return has_failed_; }

    /// Reads members into a struct. Where problems are noted, all members are looked at, and it is no failure that some
    /// have one.
    virtual bool read_members(void* into, const member_table& table) = 0;
    /// Reads as the first alternative that fits. The alternatives of a value within a variant are tried once for each
    /// variant that it may be: else variants that contain each other would take exponential time.
    virtual bool read_alternative(void* into, const alternative_table& table) = 0;

    /// The kind of the value; null where there is none.
    virtual boost::json::kind kind() const noexcept = 0;
    /// Whether no name comes twice.
    bool knows_names() const noexcept { return knows_names_; }
    /// How many members may be read: whether the names of more collide is looked at where a value is made of them.
    std::size_t most_names() const noexcept { return knows_names_ ? std::size_t(-1) : 80; }

    /// Whether problems are noted. If not, texts for them need not be made.
    virtual bool notes_problems() const noexcept = 0;
    /// Notes that another value was `expected` than the one it `got`, if problems are noted. Returns false, as
    /// functions that can't read a value do.
    virtual bool refuse(std::string_view expected, std::string_view got) = 0;
    /// Notes that another kind of value was expected than the present one, or that there is none.
    virtual bool refuse_kind(expected_words expected) = 0;

protected:
    explicit json_source(bool knows_names) noexcept : knows_names_(knows_names) {}
    ~json_source() = default;
    void fail() noexcept { has_failed_ = true; }

private:
    bool knows_names_;
    bool has_failed_ = false;
};

} // namespace partyline::detail
