#pragma once

#include <partyline/mcp/detail/call_result.hpp>
#include <partyline/mcp/detail/typed_call.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/signature_schema.hpp>

#include <boost/json/object.hpp>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace partyline::mcp::detail {

using rpc::schema_link;

/// A parameter of a tool that has been given its name.
struct tool_parameter {
    std::string name;
    std::string text;
    schema_link type;
    bool is_required;
};

/// A function that has become a tool, without its type.
struct tool_binding {
    std::unique_ptr<call_handler> handler;
    schema_link whole = nullptr; // of the described struct that is its arguments
    std::vector<tool_parameter> parameters = {};
    schema_link result = nullptr; // of its structured result
    bool is_result_wrapped = false;
    std::optional<json_text> written_schema = {};
};

/// A function that has become a resource template, without its type: the variables that it takes.
struct template_binding {
    std::unique_ptr<call_handler> handler;
    schema_link variables = nullptr;
};

/// A function that has become a prompt, without its type.
struct prompt_binding {
    std::unique_ptr<call_handler> handler;
    schema_link arguments = nullptr; // null where it takes none
};

template <class F>
using arguments_of = typename rpc::handler_signature<F>::arguments;

template <class F>
inline constexpr std::size_t argument_count = std::tuple_size_v<arguments_of<F>>;

/// The described struct that a function takes as its one argument; void where it takes something else.
template <class Arguments>
struct only_struct {
    using type = void;
};
template <rpc::described_struct T>
struct only_struct<std::tuple<T>> {
    using type = T;
};
template <class F>
using struct_of = typename only_struct<arguments_of<F>>::type;

template <class F>
void add_result(tool_binding& to)
{
    using type = plain_result_t<typename rpc::handler_signature<F>::result>;
    if constexpr (tool_kind::has_schema<type>) {
        to.result = &rpc::schema_or_any<type>;
        to.is_result_wrapped = !is_written_as_object<type>;
    }
}

template <class F, class Kind>
constexpr bool check_call()
{
    if constexpr (rpc::check_function<F, context>())
        return Kind::template check<plain_result_t<typename rpc::handler_signature<F>::result>>();
    else
        return false;
}

/// The handler of a function that takes a described struct, or nothing.
template <class Kind, class F>
std::unique_ptr<call_handler> bind_struct(F function)
{
    using type = struct_of<F>;
    if constexpr (std::is_void_v<type>)
        return make_call_handler<Kind, false>(std::move(function),
                                              rpc::list_parameters(std::type_identity<std::tuple<>>()));
    else
        return make_call_handler<Kind, true>(std::move(function), rpc::list_members<type>(rpc::member_list<type>()));
}

template <class F>
tool_binding bind_tool(F function)
{
    tool_binding made;
    if constexpr (check_call<F, tool_kind>()) {
        using type = struct_of<F>;
        constexpr bool has_struct = !std::is_void_v<type>;
        constexpr bool can_be_told = has_struct || argument_count<F> == 0;
        static_assert(can_be_told,
                      "a tool takes its arguments as a described struct (BOOST_DESCRIBE_STRUCT), or they are "
                      "named where it is added: add_tool(\"add\", \"Adds.\", add, {{\"a\", \"First\"}, "
                      "{\"b\", \"Second\"}})");
        if constexpr (has_struct) {
            constexpr bool is_flat = !rpc::is_recursive<type>();
            static_assert(is_flat, "a type that contains itself has no JSON Schema without $ref, which clients refuse");
            made.whole = &rpc::schema_of<type>;
        }
        if constexpr (can_be_told)
            made.handler = bind_struct<tool_kind>(std::move(function));
        add_result<F>(made);
    }
    return made;
}

template <class... T>
void add_parameters(std::vector<tool_parameter>& to, std::type_identity<std::tuple<T...>>,
                    const std::vector<std::string>& names, std::vector<std::string>& texts)
{
    std::size_t at = 0;
    const auto add = [&]<class P>(std::type_identity<P>) {
        to.push_back({names[at], std::move(texts[at]), &rpc::schema_or_any<rpc::bare_t<P>>, !rpc::is_optional<P>});
        ++at;
    };
    (add(std::type_identity<T>()), ...);
}

template <class F>
tool_binding bind_tool(F function, std::vector<std::string> names, std::vector<std::string> texts)
{
    tool_binding made;
    if constexpr (check_call<F, tool_kind>()) {
        constexpr auto types = std::type_identity<arguments_of<F>>();
        rpc::parameter_list parameters = rpc::list_parameters(types, parameter_names(names)); // throws: another number
        made.handler = make_call_handler<tool_kind, false>(std::move(function), std::move(parameters));
        add_parameters(made.parameters, types, names, texts);
        add_result<F>(made);
    }
    return made;
}

template <class Arguments>
inline constexpr bool is_raw_object = false;
template <class T>
inline constexpr bool is_raw_object<std::tuple<T>> = rpc::is_raw<T> || std::is_same_v<T, boost::json::object>;

template <class F>
tool_binding bind_raw_tool(F function)
{
    tool_binding made;
    if constexpr (check_call<F, tool_kind>()) {
        constexpr bool is_raw = is_raw_object<arguments_of<F>>;
        static_assert(is_raw,
                      "a tool with a schema written by hand takes its arguments as a json::object, a json_text or "
                      "(no coroutine) a json_view");
        if constexpr (is_raw)
            made.handler = make_call_handler<tool_kind, true>(
                std::move(function), rpc::list_parameters(std::type_identity<arguments_of<F>>()));
        add_result<F>(made);
    }
    return made;
}

template <class F>
std::unique_ptr<call_handler> bind_resource(F function)
{
    if constexpr (check_call<F, resource_kind>()) {
        constexpr bool has_no_arguments = argument_count<F> == 0;
        static_assert(has_no_arguments, "what reads a resource takes nothing but the context");
        if constexpr (has_no_arguments)
            return bind_struct<resource_kind>(std::move(function));
    }
    return nullptr;
}

template <class F>
template_binding bind_template(F function)
{
    template_binding made;
    if constexpr (check_call<F, resource_kind>()) {
        using type = struct_of<F>;
        constexpr bool has_struct = !std::is_void_v<type>;
        static_assert(has_struct, "what reads a template's resources takes its variables as a described struct");
        if constexpr (has_struct) {
            made.variables = &rpc::schema_of<type>;
            made.handler = bind_struct<resource_kind>(std::move(function));
        }
    }
    return made;
}

template <class T>
struct is_prompt_argument
    : std::bool_constant<std::is_same_v<rpc::bare_t<T>, std::string> || rpc::described_enum<rpc::bare_t<T>>> {};

template <class T, class... Member>
constexpr bool are_prompt_arguments(boost::mp11::mp_list<Member...>)
{
    return (is_prompt_argument<rpc::member_type<T, Member>>::value && ...);
}

template <class F>
prompt_binding bind_prompt(F function)
{
    prompt_binding made;
    if constexpr (check_call<F, prompt_kind>()) {
        using type = struct_of<F>;
        constexpr bool has_struct = !std::is_void_v<type>;
        constexpr bool can_be_told = has_struct || argument_count<F> == 0;
        static_assert(can_be_told, "a prompt takes its arguments as a described struct, or none");
        if constexpr (has_struct) {
            constexpr bool has_strings = are_prompt_arguments<type>(rpc::member_list<type>());
            static_assert(has_strings, "a prompt's arguments are strings, optional strings or described enums");
            made.arguments = &rpc::schema_of<type>;
        }
        if constexpr (can_be_told)
            made.handler = bind_struct<prompt_kind>(std::move(function));
    }
    return made;
}

} // namespace partyline::mcp::detail
