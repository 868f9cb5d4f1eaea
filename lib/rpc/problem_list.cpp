#include "rpc/problem_list.hpp"

#include "protocol/json/utf8.hpp"
#include "rpc/parameter_place.hpp"
#include "rpc/wording.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

constexpr std::size_t max_names_bytes = 512;

} // namespace

void problem_list::add(const parameter_place& place, std::string_view expected, std::string_view got)
{
    if (is_full())
        return;
    json::object data;
    data.reserve(4); // with `others`
    if (json::value parameter = place.to_json(); !parameter.is_null())
        data.emplace("parameter", std::move(parameter));
    data.emplace("expected", expected);
    data.emplace("got", utf8::shortened(got, max_shown_bytes));
    problems_.push_back(std::move(data));
}

void problem_list::add_unknown_name(parameter_place place, std::string_view name, std::string_view names)
{
    place.enter(name);
    add(place, names.empty() ? "no parameters" : "one of " + utf8::shortened(names, max_names_bytes), name);
}

void problem_list::add(const parameter_place& place, error_object problem)
{
    if (is_full())
        return;
    problems_.push_back(std::move(*problem.data));
    problems_.back().get_object()["parameter"] = place.to_json();
}

void problem_list::add(const rpc_error& problem)
{
    const error_object& told = problem.error();
    const json::object* const data = told.data ? told.data->if_object() : nullptr;
    if (told.code != error_codes::invalid_params || !data || !data->contains("expected"))
        throw; // somebody else's: it is told as it is
    problems_.push_back(*data);
}

error_object problem_list::take()
{
    error_object all{error_codes::invalid_params, "Invalid params", std::nullopt};
    if (problems_.empty())
        return all;
    all.data = std::move(problems_.front());
    if (problems_.size() > 1) {
        json::array& others = all.data->get_object()["others"].emplace_array();
        others.reserve(problems_.size() - 1);
        for (auto other = problems_.begin() + 1; other != problems_.end(); ++other)
            others.push_back(std::move(*other));
    }
    problems_.clear();
    return all;
}

} // namespace partyline::detail
