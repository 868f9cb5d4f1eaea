#include <partyline/rpc/detail/problem_list.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::detail {

void problem_list::add(const rpc_error& problem)
{
    const error_object& told = problem.error();
    const json::object* const data = told.data ? told.data->if_object() : nullptr;
    if (told.code != error_codes::invalid_params || !data || !data->contains("expected"))
        throw; // somebody else's: it is told as it is
    problems_.push_back(*data);
}

void problem_list::throw_any() const
{
    if (problems_.empty())
        return;
    json::object data = problems_.front().as_object();
    if (problems_.size() > 1)
        data.emplace("others", json::array(problems_.begin() + 1, problems_.end()));
    throw rpc_error(error_codes::invalid_params, "Invalid params", json::value(std::move(data)));
}

} // namespace partyline::detail
