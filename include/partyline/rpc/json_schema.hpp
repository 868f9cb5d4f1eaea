#pragma once

#include <partyline/rpc/detail/schema_type.hpp>

#include <boost/json/object.hpp>

namespace partyline {

/// Returns how a `T` is read from params, as JSON Schema 2020-12, with the rules of its notes. The schema has only
/// features that all kinds of clients take: one scalar `type` each, no `$ref`, nothing nullable: a `std::optional` is
/// merely not required. A type that contains itself is a compile-time error, since it has no schema without a `$ref`.
///
/// Integers of one or two bytes have their bounds in it, unsigned ones of any size `"minimum":0`. The bounds of `int`
/// and wider types are left out, since they say nothing about the meaning of an argument; a value outside of them is
/// refused all the same. Bounds that are meant are notes: `range`, `at_least`, `at_most`.
///
///     show(serialize(partyline::json_schema<point>()));
///     // {"type":"object","properties":{"x":{"type":"integer",...},...},"required":["x","y"],...}
template <class T>
boost::json::object json_schema()
{
    constexpr bool is_recursive = detail::is_recursive<T>();
    static_assert(!is_recursive,
                  "a type that contains itself has no JSON Schema without $ref, which many clients refuse");
    if constexpr (is_recursive || !detail::is_throughout<detail::is_sound, T>())
        return {};
    else
        return detail::make_schema(detail::schema_of<T>());
}

} // namespace partyline
