#pragma once

#include <partyline/telemetry/span_writer.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <string_view>

namespace partyline::test {

/// The next payload of a writer.
inline boost::json::value exported(telemetry::span_writer& from)
{
    return boost::json::parse(from.take().text);
}

inline const boost::json::array& spans_of(const boost::json::value& payload)
{
    return payload.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array();
}

/// The value of an attribute; null where there is none.
inline boost::json::value attribute(const boost::json::value& of, std::string_view name)
{
    for (const boost::json::value& each : of.at("attributes").as_array()) {
        if (each.at("key") == boost::json::string(name))
            return each.at("value").as_object().begin()->value();
    }
    return nullptr;
}

} // namespace partyline::test
