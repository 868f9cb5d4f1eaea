#include "rpc/value_source.hpp"

#include "rpc/known_alternatives.hpp"
#include "rpc/problem_list.hpp"
#include "rpc/wording.hpp"

#include <partyline/rpc/detail/read_containers.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

std::string_view kind_name(json::kind kind) noexcept
{
    switch (kind) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "boolean";
    case json::kind::int64: return "integer";
    case json::kind::uint64: return "integer";
    case json::kind::double_: return "number";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
    }
    return "";
}

std::string joined_names(array_view<const read_row> rows)
{
    std::vector<std::string_view> names;
    for (const read_row& row : rows)
        names.push_back(row.name.text);
    return joined(names);
}

// With few digits: a bound is told, not computed with.
std::string bound_text(double number)
{
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, number, std::chars_format::general, 6).ptr);
}

// 2.0 is an integer: some languages know no other numbers than doubles.
bool is_integral(double number) noexcept
{
    return std::trunc(number) == number;
}

template <class Integer>
std::optional<Integer> within(auto number, Integer min, Integer max) noexcept
{
    if (std::cmp_less(number, min) || std::cmp_greater(number, max))
        return std::nullopt;
    return static_cast<Integer>(number);
}

template <class Integer>
std::optional<Integer> find_integer(const json::value& value, Integer min, Integer max) noexcept
{
    if (const std::int64_t* integer = value.if_int64())
        return within(*integer, min, max);
    if (const std::uint64_t* large = value.if_uint64())
        return within(*large, min, max);
    // One past the largest Integer: a power of two, so a double holds it exactly.
    constexpr double end = std::is_signed_v<Integer> ? 9223372036854775808.0 : 18446744073709551616.0;
    const double* const real = value.if_double();
    if (!real || !is_integral(*real) || *real < static_cast<double>(min) || *real >= end)
        return std::nullopt;
    if (std::is_signed_v<Integer> && *real == -end)
        return std::nullopt; // mostly what was less in the text: the least integer itself comes as one
    return within(static_cast<Integer>(*real), min, max);
}

} // namespace

/// Returns to where a source is now, whatever becomes of what is read until then.
class value_source::position {
public:
    explicit position(value_source& of) noexcept
        : of_(of), value_(of.value_), depth_(of.place_.depth()), containers_(of.containers_.size()), known_(of.known_),
          is_asked_(of.is_asked_)
    {
    }
    position(const position&) = delete;
    position& operator=(const position&) = delete;
    ~position()
    {
        return_there();
        of_.known_ = known_;
        of_.is_asked_ = is_asked_;
    }

    void return_there() noexcept
    {
        of_.value_ = value_;
        of_.place_.leave_to(depth_);
        of_.containers_.resize(containers_);
    }

private:
    value_source& of_;
    const json::value* value_;
    std::size_t depth_;
    std::size_t containers_;
    known_alternatives* known_;
    bool is_asked_;
};

bool value_source::refuse(std::string_view expected, std::string_view got)
{
    if (problem_list* const all = problems())
        all->add(place_, expected, got);
    return false;
}

bool value_source::refuse_kind(std::string_view expected)
{
    return refuse(expected, value_ ? kind_name(value_->kind()) : "nothing");
}

bool value_source::refuse_kind(expected_words expected)
{
    return problems() && refuse_kind(expected());
}

bool value_source::read_bool(bool& into)
{
    const bool* const found = value_ ? value_->if_bool() : nullptr;
    if (!found)
        return refuse_kind("boolean");
    into = *found;
    return true;
}

template <class Integer>
bool value_source::refuse_integer(Integer min, Integer max)
{
    if (!problems())
        return false;
    if (!value_ || !value_->is_number())
        return refuse_kind("integer");
    const double* const real = value_->if_double();
    std::string got = real                 ? number_text(*real)
                      : value_->is_int64() ? number_text(value_->get_int64())
                                           : number_text(value_->get_uint64());
    if (real && !is_integral(*real))
        return refuse("integer", got);
    if (real && *real == static_cast<double>(min))
        got += " or less"; // as a double it is both
    return refuse("integer from " + number_text(min) + " to " + number_text(max), got);
}

template <class Integer>
bool value_source::read_integer(Integer& into, Integer min, Integer max)
{
    const std::optional<Integer> number = value_ ? find_integer(*value_, min, max) : std::nullopt;
    if (!number)
        return refuse_integer(min, max);
    into = *number;
    return true;
}

bool value_source::read_signed(std::int64_t& into, std::int64_t min, std::int64_t max)
{
    return read_integer(into, min, max);
}

bool value_source::read_unsigned(std::uint64_t& into, std::uint64_t max)
{
    return read_integer(into, std::uint64_t(0), max);
}

bool value_source::read_double(double& into, double max)
{
    if (!value_ || !value_->is_number())
        return refuse_kind("number");
    into = value_->to_number<double>();
    if (std::abs(into) <= max)
        return true;
    return problems() && refuse("number from " + bound_text(-max) + " to " + bound_text(max), number_text(into));
}

bool value_source::read_string(std::string_view& into)
{
    const json::string* const found = value_ ? value_->if_string() : nullptr;
    if (!found)
        return refuse_kind("string");
    into = *found;
    return true;
}

bool value_source::read_string(std::string& into)
{
    std::string_view text;
    if (!read_string(text))
        return false;
    into = text;
    return true;
}

bool value_source::read_value(json::value& into)
{
    if (!value_)
        return refuse_kind("any value");
    into = json::value(*value_, json::storage_ptr());
    return true;
}

bool value_source::read_raw(json_view&)
{
    return refuse_kind("any value");
}

bool value_source::begin_array()
{
    if (!value_ || !value_->is_array())
        return refuse_kind("array");
    containers_.push_back({value_});
    place_.enter(std::size_t(0));
    return true;
}

bool value_source::begin_array(std::size_t size)
{
    if (value_ && value_->is_array() && value_->get_array().size() == size)
        return begin_array();
    if (!problems())
        return false;
    const std::string expected = array_of(size);
    if (!value_ || !value_->is_array())
        return refuse_kind(expected);
    return refuse(expected, array_of(value_->get_array().size()));
}

bool value_source::next_element()
{
    container& around = containers_.back();
    const json::array& elements = around.value->get_array();
    if (around.next == elements.size()) {
        value_ = around.value;
        containers_.pop_back();
        place_.leave();
        return false;
    }
    value_ = &elements[around.next];
    place_.move_to(around.next++);
    return true;
}

bool value_source::begin_object()
{
    if (!value_ || !value_->is_object())
        return refuse_kind("object");
    containers_.push_back({value_});
    place_.enter("");
    return true;
}

bool value_source::next_member(std::string_view& name)
{
    container& around = containers_.back();
    const json::object& members = around.value->get_object();
    if (around.next == members.size()) {
        value_ = around.value;
        containers_.pop_back();
        place_.leave();
        return false;
    }
    const json::key_value_pair& member = members.begin()[around.next++];
    value_ = &member.value();
    name = member.key();
    place_.move_to(name);
    return true;
}

bool value_source::check_names(const json::object& object, const member_table& table)
{
    for (const json::key_value_pair& member : object) {
        const std::string_view name = member.key();
        const auto is_it = [&](const read_row& row) { return row.name.text == name; };
        if (std::any_of(table.rows.begin(), table.rows.end(), is_it))
            continue;
        if (table.unknown.value_or(how_.unknown()) == unknown_members::ignored)
            return true;
        if (place_.is_whole() && how_.is_own_member(name))
            continue;
        if (!problems() || problems()->is_full())
            return false;
        problems()->add_unknown_name(place_, name, joined_names(table.rows));
    }
    return true;
}

// Whether the next one is to be read, where problems are noted.
bool value_source::read_next(void* into, const read_row& row)
{
    const position here(*this);
    if (row.is_checked)
        is_asked_ = false;
    if (problem_list* const all = problems())
        return all->attempt([&] { row.read(into, *this); });
    return row.read(into, *this);
}

bool value_source::read_members(void* into, const member_table& table)
{
    const json::object* const object = value_ ? value_->if_object() : nullptr;
    if (!object)
        return refuse_kind("object");
    if (!check_names(*object, table))
        return false;
    const position here(*this);
    place_.enter("");
    for (const read_row& row : table.rows) {
        value_ = object->if_contains(row.name.text);
        place_.move_to(row.name.text);
        if (!read_next(into, row))
            return false;
    }
    return true;
}

// How many alternatives there are where none can be read. (What a conversion of a user's own throws means that it
// can't.)
std::size_t value_source::find_alternative(void* into, const alternative_table& table)
{
    position here(*this);
    std::size_t index = 0;
    for (; index != table.readers.size(); ++index) {
        try {
            if (table.readers[index](*this, into))
                break;
        } catch (const rpc_error&) {
        }
        here.return_there();
    }
    return index;
}

// The same for a variant within another one, once for each place.
std::size_t value_source::decide(const alternative_table& table)
{
    const auto* const variant = static_cast<const void*>(table.readers.begin());
    if (const std::size_t* const index = known_->find(*value_, variant))
        return *index;
    const position here(*this);
    is_asked_ = true;
    const std::size_t index = find_alternative(nullptr, table);
    known_->add(*value_, variant, index);
    return index;
}

bool value_source::read_alternative(void* into, const alternative_table& table)
{
    if (!value_)
        return refuse_kind(table.expected);
    std::size_t index = 0;
    if (!known_) {
        known_alternatives known;
        const position here(*this);
        known_ = &known;
        index = find_alternative(into, table);
    } else {
        index = decide(table);
        if (index != table.readers.size())
            return is_asked_ || table.readers[index](*this, into);
    }
    return index != table.readers.size() || refuse_kind(table.expected);
}

} // namespace partyline::detail
