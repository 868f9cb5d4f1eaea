#include "mcp/answers/result_place.hpp"

#include "mcp/answers/failed_call.hpp"

#include <partyline/mcp/client/client_errc.hpp>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

std::string_view json_type(const json::value* value) noexcept
{
    if (!value)
        return "nothing";
    switch (value->kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a boolean";
    case json::kind::string: return "a string";
    case json::kind::array: return "an array";
    case json::kind::object: return "an object";
    default: return "a number";
    }
}

} // namespace

result_place result_place::member(std::string_view name) const
{
    const json::value* const found = object().if_contains(name);
    return {*this, name, 0, found};
}

result_place result_place::element(std::size_t index) const noexcept
{
    return {*this, {}, index, &value_->get_array()[index]};
}

const json::object& result_place::object() const
{
    if (!value_ || !value_->is_object())
        refuse("an object");
    return value_->get_object();
}

const json::array& result_place::array() const
{
    if (!value_ || !value_->is_array())
        refuse("an array");
    return value_->get_array();
}

std::string result_place::string() const
{
    if (!value_ || !value_->is_string())
        refuse("a string");
    return std::string(value_->get_string());
}

bool result_place::boolean() const
{
    if (!value_ || !value_->is_bool())
        refuse("a boolean");
    return value_->get_bool();
}

const json::value& result_place::value() const
{
    if (!value_)
        refuse("a value");
    return *value_;
}

std::string result_place::string_or(std::string_view otherwise) const
{
    return value_ ? string() : std::string(otherwise);
}

bool result_place::boolean_or(bool otherwise) const
{
    return value_ ? boolean() : otherwise;
}

json::object result_place::object_or_empty() const
{
    return value_ ? object() : json::object();
}

std::optional<std::uint64_t> result_place::count() const
{
    if (!value_)
        return std::nullopt;
    boost::system::error_code failed;
    const auto number = value_->is_number() ? value_->to_number<std::uint64_t>(failed) : 0;
    if (!value_->is_number() || failed)
        refuse("a number from 0 up");
    return number;
}

void result_place::refuse(std::string_view expected) const
{
    std::string text;
    append_to(text);
    text.append(": expected ").append(expected).append(", got ").append(json_type(value_));
    throw failed_call(client_errc::bad_result, std::move(text));
}

// "tools/list: at tools[3].name". It is never deep: only members that the protocol has are looked for.
void result_place::append_to(std::string& path) const
{
    if (!parent_) {
        path.append(name_).append(": at the result");
        return;
    }
    parent_->append_to(path);
    if (name_.empty())
        path.append("[").append(std::to_string(index_)).append("]");
    else
        path.append(".").append(name_.substr(0, 100)); // a key may be the server's
}

} // namespace partyline::mcp
