#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/parameter_place.hpp>
#include <partyline/rpc/detail/reading.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::detail {

/// Reads C++ values straight from text that is known to be JSON, with no value between.
///
/// What reads says whether it has read what it was asked for. False ends it all: something else stands there, or what
/// only a value shows to be right (2.0 as an integer, of members of the same name the last). `argument_reader::read`
/// then reads the same text once more, and says what is wrong if anything is. So nothing is read here that would not be
/// read there, and as the same; and where exceptions come out, false is what they mean.
class PARTYLINE_EXPORT text_cursor {
public:
    text_cursor(json_view text, reading& how) noexcept
        : at_(text.text().data()), end_(at_ + text.text().size()), whole_(how)
    {
    }
    text_cursor(const text_cursor&) = delete;
    text_cursor& operator=(const text_cursor&) = delete;

    /// Whether null stands there, which is read then.
    bool read_null() noexcept;
    bool read_bool(bool& into) noexcept;
    bool read_signed(std::int64_t& into, std::int64_t min, std::int64_t max) noexcept;
    bool read_unsigned(std::uint64_t& into, std::uint64_t max) noexcept;
    bool read_double(double& into, double max) noexcept;
    /// The view is valid until another string or name is read.
    bool read_string(std::string_view& into);
    bool read_string(std::string& into);
    /// One without escapes: the view is valid as long as the text.
    bool read_plain_string(std::string_view& into) noexcept;

    /// Any value.
    bool read_value(boost::json::value& into);
    /// Any value, as text.
    json_view skip();
    /// Any value that is not looked at, but for what no value could be made of.
    bool ignore();

    bool begin_array() noexcept { return begin('['); }
    bool begin_object() noexcept { return begin('{'); }
    /// To the next element; false when there is none, which ends the array.
    bool next_element() noexcept;
    /// To the next member's value; false when there is none, which ends the object, and for a name that no text can be
    /// made of (see `has_failed()`). `name` is valid until another string or name is read; it is `likely` itself where
    /// it is that, which has to be plain text, if any.
    bool next_member(std::string_view& name, std::string_view likely = {});
    /// A name could not be read: nothing more can be.
    bool has_failed() const noexcept { return has_failed_; }

    /// Somewhere in what is read: errors don't come out, so where does not matter.
    parameter_place place() const noexcept { return parameter_place(whole_, std::size_t(0)); }

private:
    bool begin(char bracket) noexcept;
    bool next(char close) noexcept;
    bool skip_name(std::string_view name) noexcept;
    bool read_plain(std::string_view& into) noexcept;
    bool read_special_string(std::string_view& into);
    bool is_integer() const noexcept;

    const char* at_;
    const char* end_;
    parameter_place whole_;
    std::string memory_; // of the last string that had escapes
    bool has_failed_ = false;
};

} // namespace partyline::detail
