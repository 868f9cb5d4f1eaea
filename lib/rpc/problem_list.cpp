#include <partyline/rpc/detail/problem_list.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::detail {

void problem_list::add(const rpc_error& problem)
{
    const error_object& told = problem.error();
    if (told.code != error_codes::invalid_params || !told.data)
        throw problem;
    problems_.push_back(*told.data);
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
