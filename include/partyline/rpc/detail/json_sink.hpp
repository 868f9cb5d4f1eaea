#pragma once

#include <partyline/config.hpp>
#include <partyline/session/binding.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::detail {

/// Takes a C++ value as JSON, piece by piece: the writer need not know whether it becomes a value or text.
///
/// Flow: a scalar; or `begin_array()`, the elements, `end_array()`; or `begin_object()`, for each member `name()` and
/// its value, `end_object()`. Where beginning returns false, neither its contents nor its end is wanted.
class PARTYLINE_EXPORT json_sink {
public:
    json_sink(const json_sink&) = delete;
    json_sink& operator=(const json_sink&) = delete;

    virtual void write_null() = 0;
    virtual void write_bool(bool value) = 0;
    virtual void write_signed(std::int64_t number) = 0;
    virtual void write_unsigned(std::uint64_t number) = 0;
    virtual void write_double(double number) = 0;
    virtual void write_string(std::string_view text) = 0;
    /// A part that is a value already.
    virtual void write_value(const boost::json::value& value) = 0;
    virtual void write_value(boost::json::value&& value) = 0;

    virtual bool begin_array() = 0;
    virtual void end_array() = 0;
    /// `members`: how many there may be.
    virtual bool begin_object(std::size_t members) = 0;
    /// The view is valid until the member's value has ended. `is_plain`: there is nothing in it that has to be escaped.
    virtual void name(std::string_view name, bool is_plain) = 0;
    virtual void end_object() = 0;

    /// Whether the sink notices a duplicate name: then the first member counts.
    virtual bool knows_names() const noexcept = 0;
    /// The policy for types that do not set it themselves.
    empty_optionals empty() const noexcept { return empty_; }

protected:
    explicit json_sink(empty_optionals empty) noexcept : empty_(empty) {}
    ~json_sink() = default;

private:
    empty_optionals empty_;
};

/// Writes the object that `from` points to.
using write_function = void (*)(json_sink& to, const void* from);

/// As a value.
PARTYLINE_EXPORT boost::json::value make_value(write_function write, const void* from, empty_optionals empty);

} // namespace partyline::detail
