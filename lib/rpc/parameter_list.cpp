#include <partyline/rpc/detail/parameter_list.hpp>

#include "rpc/wording.hpp"

#include <partyline/rpc/detail/wire_text.hpp>

#include <algorithm>
#include <stdexcept>

namespace partyline::detail {
namespace {

void check_names(const std::vector<std::string>& names, std::size_t count)
{
    if (names.size() != count)
        throw std::invalid_argument(counted(names.size(), "name") + " for " + counted(count, "parameter"));
    for (auto name = names.begin(); name != names.end(); ++name)
        if (std::find(names.begin(), name, *name) != name)
            throw std::invalid_argument("two parameters are called \"" + *name + "\"");
}

} // namespace

parameter_list::parameter_list(std::size_t count, std::size_t required, const parameter_names& names)
    : count_(count), required_(required), names_(names.names()), has_names_(true)
{
    check_names(names_, count);
    are_plain_ = std::all_of(names_.begin(), names_.end(), is_plain_text);
}

parameter_list::parameter_list(std::size_t required, array_view<const std::string_view> names,
                               std::optional<unknown_members> unknown)
    : count_(names.size()), required_(required), names_(names.begin(), names.end()), has_names_(true),
      are_plain_(std::all_of(names.begin(), names.end(), is_plain_text)), unknown_(unknown)
{
}

std::size_t parameter_list::find(std::string_view name) const noexcept
{
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

std::string parameter_list::expected_count() const
{
    if (count_ == 0)
        return "no parameters";
    if (required_ == count_)
        return counted(count_, "parameter");
    if (required_ == 0)
        return "at most " + counted(count_, "parameter");
    return std::to_string(required_) + " to " + counted(count_, "parameter");
}

std::string parameter_list::joined_names() const
{
    return joined(names_);
}

} // namespace partyline::detail
