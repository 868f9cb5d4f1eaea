#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// A place in what a server has answered. What is not as it should be throws `failed_call` with
/// `client_errc::bad_result`, which names the method, the place, what was expected and what came. A place refers to the
/// one that it was made from.
class result_place {
public:
    /// The result of a method as a whole.
    result_place(std::string_view method, const boost::json::value& whole) noexcept : name_(method), value_(&whole) {}

    result_place member(std::string_view name) const;
    result_place element(std::size_t index) const noexcept;

    bool is_absent() const noexcept { return !value_; }

    const boost::json::object& object() const;
    const boost::json::array& array() const;
    std::string string() const;
    bool boolean() const;
    const boost::json::value& value() const;

    // Members that may be left out.
    std::string string_or(std::string_view otherwise) const;
    bool boolean_or(bool otherwise) const;
    boost::json::object object_or_empty() const;
    std::optional<std::uint64_t> count() const;

    [[noreturn]] void refuse(std::string_view expected) const;

private:
    result_place(const result_place& parent, std::string_view name, std::size_t index,
                 const boost::json::value* value) noexcept
        : parent_(&parent), name_(name), index_(index), value_(value)
    {
    }
    void append_to(std::string& path) const;

    const result_place* parent_ = nullptr; // null: the whole, and the name is the method's
    std::string_view name_;                // empty: an element
    std::size_t index_ = 0;
    const boost::json::value* value_;
};

} // namespace partyline::mcp
