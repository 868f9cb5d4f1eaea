#pragma once

#include <partyline/testing/records.hpp>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace kit {

using strings = std::vector<std::string>;

inline strings texts(const std::vector<boost::json::value>& values)
{
    strings all;
    for (const boost::json::value& one : values)
        all.push_back(boost::json::serialize(one));
    return all;
}

inline strings texts(const std::vector<partyline::test::recorded_progress>& told)
{
    strings all;
    for (const auto& one : told)
        all.push_back(one.method + " " + boost::json::serialize(one.token) + " " + boost::json::serialize(one.value));
    return all;
}

inline strings texts(const std::vector<partyline::test::recorded_notification>& heard)
{
    strings all;
    for (const auto& one : heard)
        all.push_back(one.method + " " + boost::json::serialize(one.params));
    return all;
}

} // namespace kit
