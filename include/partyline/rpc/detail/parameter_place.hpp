#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/reading.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::detail {

class known_alternatives;

/// Where in the params a value stands: a link to the place around it and a name or an index there. The links live on
/// the stack of whoever reads, and are looked at only when something is wrong.
class PARTYLINE_EXPORT parameter_place {
public:
    /// The params as a whole, or a result as a whole.
    explicit parameter_place(reading& how) noexcept : reading_(&how) {}
    parameter_place(const parameter_place& outer, std::string_view name) noexcept
        : outer_(&outer), name_(name), reading_(outer.reading_), alternatives_(outer.alternatives_)
    {
    }
    parameter_place(const parameter_place& outer, std::size_t index) noexcept
        : outer_(&outer), index_(index), reading_(outer.reading_), alternatives_(outer.alternatives_)
    {
    }

    /// The same place within a variant that stands there: that an alternative does not fit is no problem.
    parameter_place within_variant(known_alternatives& alternatives) const noexcept
    {
        parameter_place same = *this;
        same.alternatives_ = &alternatives;
        return same;
    }
    /// What is known of the outermost variant that it is within; null where it is within none.
    known_alternatives* alternatives() const noexcept { return alternatives_; }

    /// Where problems are noted; null: the first one ends it all, and nobody wants to know it.
    problem_list* problems() const noexcept { return alternatives_ ? nullptr : reading_->problems(); }
    /// What becomes of members that nobody knows, where their type does not say.
    unknown_members unknown() const noexcept { return reading_->unknown(); }
    /// Whether a member of what stands here is the session's own.
    bool is_own_member(std::string_view name) const noexcept { return is_whole() && reading_->is_own_member(name); }

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
    known_alternatives* alternatives_ = nullptr;
};

// Each notes a problem with what stands at a place, and returns false, as those do who can't read it.

/// Notes the members `parameter` (left out for the params as a whole), `expected` and `got`: plain words, such as
/// "integer from 0 to 255" and "300". A long `got` is shortened.
PARTYLINE_EXPORT bool refuse(const parameter_place& place, std::string_view expected, std::string_view got);

/// The same, where `got` is the kind of `value`: "string".
PARTYLINE_EXPORT bool refuse_kind(const parameter_place& place, std::string_view expected,
                                  const boost::json::value& value);
/// The same for words that are made only where somebody wants to know them.
PARTYLINE_EXPORT bool refuse_kind(const parameter_place& place, std::string (*expected)(),
                                  const boost::json::value& value);

/// The same, where `got` is "nothing".
PARTYLINE_EXPORT bool refuse_missing(const parameter_place& place, std::string (*expected)());

/// The same for a name that is none of `names`.
PARTYLINE_EXPORT bool refuse_unknown_name(const parameter_place& outer, std::string_view name, std::string_view names);

} // namespace partyline::detail
