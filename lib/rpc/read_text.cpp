// What is read straight from text and has members: the params of a request, objects; and enums.

#include <partyline/rpc/detail/read_argument.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace partyline::detail {
namespace {

/// Which of the rows of a table have been read.
class row_set {
public:
    static constexpr std::size_t most = 64;

    bool has(std::size_t index) const noexcept { return (bits_ >> index & 1) != 0; }
    void add(std::size_t index) noexcept
    {
        bits_ |= std::uint64_t(1) << index;
        ++size_;
    }
    std::size_t size() const noexcept { return size_; }

private:
    std::uint64_t bits_ = 0;
    std::size_t size_ = 0;
};

/// Reads members into the rows of a table. The next member is looked for where the last one was found, since most come
/// in order.
template <class Row, class NameOf>
class row_reader {
public:
    row_reader(void* into, array_view<const Row> rows, NameOf name_of) : into_(into), rows_(rows), name_of_(name_of) {}

    /// The name of the row behind the last one; empty when there is none, or none that is plain text.
    std::string_view likely_name() const noexcept
    {
        const wire_text name = next_ == rows_.size() ? wire_text{} : name_of_(next_);
        return name.is_plain ? name.text : std::string_view();
    }

    /// The row of that name; `rows.size()` when there is none.
    std::size_t find(std::string_view name) const noexcept
    {
        if (next_ != rows_.size() && name_of_(next_).text.data() == name.data()) [[likely]]
            return next_;
        std::size_t index = 0;
        while (index != rows_.size() && name_of_(index).text != name)
            ++index;
        return index;
    }

    /// False also for one that comes again: the last one counts then.
    bool read(std::size_t index, text_cursor& from)
    {
        if (read_.has(index))
            return false;
        read_.add(index);
        next_ = index + 1;
        return rows_[index].read_text(into_, from);
    }

    /// Calls `leave_out(row)` for each that has not been read; false where that is, or one is required.
    template <class LeaveOut>
    bool end(LeaveOut leave_out)
    {
        if (read_.size() == rows_.size()) [[likely]]
            return true;
        for (std::size_t i = 0; i != rows_.size(); ++i) {
            if (read_.has(i))
                continue;
            if (rows_[i].is_required || !leave_out(rows_[i]))
                return false;
        }
        return true;
    }

private:
    void* into_;
    array_view<const Row> rows_;
    NameOf name_of_;
    row_set read_;
    std::size_t next_ = 0;
};

/// Reads by position.
template <class Reader>
bool read_elements(text_cursor& from, Reader& reader, const parameter_list& parameters)
{
    std::size_t given = 0;
    for (; from.next_element(); ++given)
        if (given == parameters.count() || !reader.read(given, from))
            return false;
    return given >= parameters.required();
}

/// Reads by name. What nobody knows is not looked at here.
template <class Reader>
bool read_named(text_cursor& from, Reader& reader, const request_context& context, const parameter_list& parameters)
{
    std::string_view name;
    while (from.next_member(name, reader.likely_name())) {
        const std::size_t index = reader.find(name);
        if (index != parameters.count()) {
            if (!reader.read(index, from))
                return false;
        } else if (context.is_own_member(name) ||
                   parameters.unknown().value_or(reading(context).unknown()) == unknown_members::ignored) {
            from.skip();
        } else {
            return false;
        }
    }
    return !from.has_failed();
}

template <class Row, class NameOf, class LeaveOut>
bool read_params(void* into, const request_context& context, json_view params, const parameter_list& parameters,
                 array_view<const Row> rows, NameOf name_of, LeaveOut leave_out)
{
    if (params.empty() || rows.size() > row_set::most)
        return false;
    try {
        reading how(context);
        text_cursor from(params, how);
        row_reader<Row, NameOf> reader(into, rows, name_of);
        if (from.begin_array()) {
            if (!read_elements(from, reader, parameters))
                return false;
        } else if (!from.begin_object() || !parameters.has_names() || !read_named(from, reader, context, parameters)) {
            return false;
        }
        return reader.end([&](const Row& row) { return leave_out(row, from); });
    } catch (...) { // somebody else reads it again and comes to the same end
        return false;
    }
}

} // namespace

bool read_params_text(void* into, const request_context& context, json_view params, const parameter_list& parameters,
                      array_view<const argument_row> rows)
{
    const auto name_of = [&](std::size_t index) { return wire_text{parameters.name(index), parameters.are_plain()}; };
    return read_params(into, context, params, parameters, rows, name_of,
                       [](const argument_row&, text_cursor&) { return true; });
}

bool read_params_text(void* into, const request_context& context, json_view params, const parameter_list& parameters,
                      array_view<const member_row> rows)
{
    const auto name_of = [&](std::size_t index) { return rows[index].name; };
    const auto leave_out = [&](const member_row& row, text_cursor& from) {
        return row.read(into, nullptr, from.place());
    };
    return read_params(into, context, params, parameters, rows, name_of, leave_out);
}

bool read_members(void* into, const member_table& table, text_cursor& from)
{
    if (table.rows.size() > row_set::most || !from.begin_object())
        return false;
    const auto name_of = [&](std::size_t index) { return table.rows[index].name; };
    row_reader reader(into, table.rows, name_of);
    std::string_view name;
    for (std::size_t left = most_unwatched; from.next_member(name, reader.likely_name()); --left) {
        const std::size_t index = reader.find(name);
        if (left == 0)
            return false;
        if (index != table.rows.size()) {
            if (!reader.read(index, from))
                return false;
        } else if (table.unknown.value_or(from.place().unknown()) == unknown_members::refused || !from.ignore()) {
            return false;
        }
    }
    return !from.has_failed() &&
           reader.end([&](const member_row& row) { return row.read(into, nullptr, from.place()); });
}

bool enumerator_names::read_text(text_cursor& from, std::size_t& index) const
{
    std::string_view text;
    if (!from.read_string(text))
        return false;
    const auto found = std::find(names.begin(), names.end(), text);
    index = static_cast<std::size_t>(found - names.begin());
    return found != names.end();
}

bool enumerator_numbers::read_text(text_cursor& from, std::size_t& index) const noexcept
{
    using limits = std::numeric_limits<std::int64_t>;
    std::int64_t number = 0;
    if (!from.read_signed(number, limits::min(), limits::max()))
        return false;
    const auto found = std::find(numbers.begin(), numbers.end(), number);
    index = static_cast<std::size_t>(found - numbers.begin());
    return found != numbers.end();
}

} // namespace partyline::detail
