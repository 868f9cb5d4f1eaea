#include "request_set.hpp"

#include <algorithm>

namespace bench {

request_ids::request_ids(random_source& random, std::size_t count)
    : count_(count), first_(1 + random.below(1000)), step_(1 + random.below(7))
{
}

std::optional<std::size_t> request_ids::index_of(std::uint64_t id) const noexcept
{
    const std::uint64_t distance = id - first_; // wraps round below `first_`, far beyond `count_`
    if (distance % step_ != 0 || distance / step_ >= count_)
        return std::nullopt;
    return distance / step_;
}

request_set::request_set(const request_recipe& recipe, random_source& random)
    : ids_(random, recipe.count), like_(recipe.like)
{
    const std::size_t a_message = std::max<std::size_t>(recipe.batch, 1);
    std::string message;
    for (std::size_t first = 0; first < recipe.count; first += a_message) {
        message = recipe.batch != 0 ? "[" : "";
        for (std::size_t i = first; i < std::min(recipe.count, first + a_message); ++i) {
            message += i != first ? "," : "";
            append_request(recipe, random, message);
        }
        message += recipe.batch != 0 ? "]" : "";
        text_ += message;
        ends_.push_back(text_.size());
        text_ += '\n';
    }
}

void request_set::append_request(const request_recipe& recipe, random_source& random, std::string& message)
{
    message += "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(ids_[result_ends_.size()]) + ",\"method\":\"" +
               recipe.method + "\",\"params\":";
    const std::size_t begin = message.size();
    const std::size_t results_before = results_.size();
    recipe.fill(random, message, results_);
    const std::string_view params = std::string_view(message).substr(begin);
    if (recipe.echoes)
        results_.resize(results_before);
    if (results_.size() == results_before)
        results_ += params;
    result_ends_.push_back(results_.size());
    params_bytes_ += params.size();
    message += "}";
}

std::string_view request_set::body(std::size_t index) const
{
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1] + 1;
    return std::string_view(text_).substr(begin, ends_[index] - begin);
}

std::string_view request_set::result(std::size_t index) const
{
    const std::size_t begin = index == 0 ? 0 : result_ends_[index - 1];
    return std::string_view(results_).substr(begin, result_ends_[index] - begin);
}

std::string cancel_of(std::uint64_t id)
{
    return R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":)" + std::to_string(id) + "}}";
}

} // namespace bench
