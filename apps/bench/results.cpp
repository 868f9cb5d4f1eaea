#include "results.hpp"

#include "pretty_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>

#include <map>
#include <stdexcept>

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

void summarise(results& all)
{
    for (section& workload : all.workloads) {
        for (row& server : workload.rows)
            summarise(server);
    }
}

std::string to_json(const results& all)
{
    return pretty(json::value_from(all));
}

results from_json(std::string_view text)
{
    try {
        return json::value_to<results>(json::parse(text));
    } catch (const std::exception& e) {
        throw std::runtime_error(std::string("this is not what partyline-bench saves with --json: ") + e.what());
    }
}

} // namespace bench
