#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/reading.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline {
class rpc_error;
}

namespace partyline::detail {

/// Where in the params a value stands: a link to the place around it and a name or an index there. The links live on
/// the stack of whoever reads, and are looked at only when something is wrong.
class PARTYLINE_EXPORT parameter_place {
public:
    /// The params as a whole, or a result as a whole.
    explicit parameter_place(reading& how) noexcept : reading_(&how) {}
    /// The params as a whole, of which nothing is known: unknown members are refused, the first problem ends it all.
    parameter_place() = default;
    parameter_place(const parameter_place& outer, std::string_view name) noexcept
        : outer_(&outer), name_(name), reading_(outer.reading_), is_tried_(outer.is_tried_)
    {
    }
    parameter_place(const parameter_place& outer, std::size_t index) noexcept
        : outer_(&outer), index_(index), reading_(outer.reading_), is_tried_(outer.is_tried_)
    {
    }

    /// The same place for one who tries whether something can be read: that it can't is no problem yet.
    parameter_place tried() const noexcept
    {
        parameter_place same = *this;
        same.is_tried_ = true;
        return same;
    }

    /// Where problems are collected; null: the first one ends it all.
    problem_list* problems() const noexcept { return reading_ && !is_tried_ ? reading_->problems() : nullptr; }
    /// What becomes of members that nobody knows, where their type does not say.
    unknown_members unknown() const noexcept { return reading_ ? reading_->unknown() : unknown_members::refused; }
    /// Whether a member of what stands here is the session's own.
    bool is_own_member(std::string_view name) const noexcept
    {
        return is_whole() && reading_ && reading_->is_own_member(name);
    }
    /// See `reading`.
    bool note_failed_attempt() const noexcept { return !reading_ || reading_->note_failed_attempt(); }

    /// As errors name it: null for the params as a whole, the name or the number of a parameter, and a path such as
    /// `items[2].size` (`[0].size` without a name) within one. Long names are shortened.
    boost::json::value to_json() const;

private:
    void append_to(std::string& path) const;
    bool is_whole() const noexcept { return outer_ == nullptr; }
    bool is_name() const noexcept { return name_.data() != nullptr; }

    const parameter_place* outer_ = nullptr;
    std::string_view name_;
    std::size_t index_ = 0;
    reading* reading_ = nullptr;
    bool is_tried_ = false;
};

/// Throws `rpc_error` -32602 "Invalid params" with the `data` members `parameter` (left out for the params as a whole),
/// `expected` and `got`: plain words, such as "integer from 0 to 255" and "300". A long `got` is shortened.
[[noreturn]] PARTYLINE_EXPORT void throw_invalid_params(const parameter_place& place, std::string_view expected,
                                                        std::string_view got);

/// The same, where `got` is the kind of `value`: "string".
[[noreturn]] PARTYLINE_EXPORT void throw_wrong_kind(const parameter_place& place, std::string_view expected,
                                                    const boost::json::value& value);

/// The same, where `got` is "nothing".
[[noreturn]] PARTYLINE_EXPORT void throw_missing(const parameter_place& place, std::string_view expected);

/// Throws an error of that kind again, with the place as its `parameter`.
[[noreturn]] PARTYLINE_EXPORT void throw_named(const parameter_place& place, const rpc_error& problem);

/// The same for a name that is none of `names`.
[[noreturn]] PARTYLINE_EXPORT void throw_unknown_name(const parameter_place& outer, std::string_view name,
                                                      std::string_view names);

} // namespace partyline::detail
