#pragma once

#include "rpc/parameter_place.hpp"
#include "rpc/reading.hpp"

#include <partyline/rpc/detail/json_source.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace partyline::detail {

class known_alternatives;

/// Reads a value, or nothing. It decides what is right, and notes what is wrong, and where.
class value_source final : public json_source {
public:
    /// Nothing, where `value` is null.
    value_source(const boost::json::value* value, const reading& how, parameter_place place = {})
        : json_source(true), value_(value), how_(how), place_(std::move(place))
    {
    }

    bool read_null() override { return !value_ || value_->is_null(); }
    bool read_bool(bool& into) override;
    bool read_signed(std::int64_t& into, std::int64_t min, std::int64_t max) override;
    bool read_unsigned(std::uint64_t& into, std::uint64_t max) override;
    bool read_double(double& into, double max) override;
    bool read_string(std::string_view& into) override;
    bool read_string(std::string& into) override;
    bool read_view(std::string_view& into) override { return read_string(into); }
    bool read_value(boost::json::value& into) override;
    const boost::json::value* value() const noexcept override { return value_; }
    /// Never: no text is known.
    bool read_raw(json_view& into) override;

    bool begin_array() override;
    bool begin_array(std::size_t size) override;
    bool next_element() override;
    bool begin_object() override;
    bool next_member(std::string_view& name) override;
    bool read_members(void* into, const member_table& table) override;
    bool read_alternative(void* into, const alternative_table& table) override;

    boost::json::kind kind() const noexcept override { return value_ ? value_->kind() : boost::json::kind::null; }
    bool notes_problems() const noexcept override { return problems() != nullptr; }
    bool refuse(std::string_view expected, std::string_view got) override;
    bool refuse_kind(expected_words expected) override;

private:
    /// An array or object of which one part is read.
    struct container {
        const boost::json::value* value;
        std::size_t next = 0;
    };
    class position;

    problem_list* problems() const noexcept { return known_ ? nullptr : how_.problems(); }
    bool refuse_kind(std::string_view expected);
    template <class Integer>
    bool read_integer(Integer& into, Integer min, Integer max);
    template <class Integer>
    bool refuse_integer(Integer min, Integer max);

    bool check_names(const boost::json::object& object, const member_table& table);
    bool read_next(void* into, const read_row& row);
    std::size_t find_alternative(void* into, const alternative_table& table);
    std::size_t decide(const alternative_table& table);

    const boost::json::value* value_;
    const reading& how_;
    parameter_place place_;               // of what is read, for problems
    std::vector<container> containers_;   // around it
    known_alternatives* known_ = nullptr; // of the outermost variant that it is within, where it is within one
    bool is_asked_ = false;               // whether a variant within that could be read: nobody wants to have it
};

} // namespace partyline::detail
