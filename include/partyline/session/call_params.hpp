#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/describe/members.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_ref.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace partyline {

namespace detail {

/// Writes a described struct; see partyline/rpc/args.hpp, which defines it; session.hpp, supervisor.hpp and
/// method_table.hpp include that.
template <class T>
boost::json::value struct_to_params(const T& from);

/// `{1}` is an array: newer Boost.JSON would make just the element of it.
PARTYLINE_EXPORT boost::json::value list_to_params(std::initializer_list<boost::json::value_ref> list);

} // namespace detail

/// The params of a call or a notification to the peer: an array, an object, or null for none (JSON-RPC 2.0 §4.2).
/// `args(2, 40)` and `named("a", 2, "b", 40)` make some of any types that are written as results are: see rpc/args.hpp.
///
///     peer.notify("moved", args(3, 4))(token);                    // [3,4]
///     peer.notify("moved", named("x", 3, "y", 4))(token);         // {"x":3,"y":4}
///     peer.notify("moved", {{"x", 3}, {"y", 4}})(token);          // the same
///     peer.notify("moved", point{3, 4})(token);                   // the same of a described struct
///     peer.notify("moved", partyline::json_text("[3,4]"))(token); // text that is there already
class PARTYLINE_EXPORT call_params {
public:
    call_params() = default;
    /// No params: `nullptr`, but not the number 0, which converts to a null pointer as well.
    call_params(std::same_as<std::nullptr_t> auto) {}
    /// An array, an object, or null for none. A call with any other value fails when it is sent: `errc::bad_params`.
    call_params(boost::json::value params) : params_(std::move(params)) {}
    /// Params by position.
    call_params(boost::json::array params) : params_(boost::json::value(std::move(params))) {}
    /// Params by name.
    call_params(boost::json::object params) : params_(boost::json::value(std::move(params))) {}
    /// `{1, 2}` is an array and `{{"a", 1}, {"b", 2}}` an object. Not within `co_await`: g++ 12 does not compile it
    /// there; use `args` and `named`.
    call_params(std::initializer_list<boost::json::value_ref> params) : params_(detail::list_to_params(params)) {}
    /// A described struct (BOOST_DESCRIBE_STRUCT): an object of its members, as a handler's result is written. Empty
    /// optionals are left out.
    template <class T>
        requires std::is_class_v<T> && boost::describe::has_describe_members<T>::value
    call_params(const T& params) : params_(detail::struct_to_params(params))
    {
    }
    /// Params as text that is sent as it is, checked first unless it came in a message.
    call_params(json_text params) : params_(std::move(params)) {}

    /// Appends the text, nothing for none. Fails with `errc::bad_params` for a value that is neither array, object nor
    /// null, or has no JSON text within `depth` levels.
    error_code append_to(std::string& out, std::size_t depth) const;
    /// Appends the text as above. Returns the problem, or nothing.
    std::optional<unwritable> write_to(byte_buffer& out, std::size_t depth) const;

private:
    std::variant<boost::json::value, json_text> params_;
};

} // namespace partyline
