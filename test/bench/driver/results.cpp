#include "results.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>
#include <cstddef>
#include <map>

namespace json = boost::json;

namespace bench {
namespace {

figures median_of(const std::vector<figures>& rounds)
{
    std::map<std::string, std::vector<double>> values;
    for (const figures& round : rounds) {
        for (const auto& [name, value] : round)
            values[name].push_back(value);
    }
    figures result;
    for (const auto& [name, all] : values)
        result[name] = spread_of(all).median;
    return result;
}

void summarise(row& server)
{
    server.median = median_of(server.rounds);
    if (!server.ratios.empty())
        server.ratio = spread_of(server.ratios);
    for (target& wanted : server.targets) {
        const bool is_ratio = wanted.figure == "ratio" && server.ratio;
        wanted.reached = (is_ratio ? server.ratio->median : server.median.at(wanted.figure)) <= wanted.at_most;
    }
}

} // namespace

spread spread_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t upper = values.size() / 2;
    const std::size_t lower = (values.size() - 1) / 2;
    return {(values.at(lower) + values.at(upper)) / 2, values.front(), values.back()};
}

void summarise(results& all)
{
    for (section& workload : all.workloads) {
        for (row& server : workload.rows)
            summarise(server);
    }
}

std::string to_json(const results& all)
{
    return json::serialize(json::value_from(all)) + "\n";
}

} // namespace bench
