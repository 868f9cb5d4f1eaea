#pragma once

#include <partyline/mcp/content.hpp>
#include <partyline/mcp/detail/call_output.hpp>
#include <partyline/mcp/server/prompt.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/detail/check_handler.hpp>
#include <partyline/rpc/detail/handler_result.hpp>
#include <partyline/rpc/detail/schema_type.hpp>

#include <boost/json/object.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace partyline::mcp::detail {

/// Becomes one text.
template <class T>
concept becomes_one_text = std::convertible_to<const T&, std::string_view>;
/// Becomes content as it stands.
template <class T>
concept becomes_content =
    std::same_as<T, tool_result> || std::same_as<T, content> || std::same_as<T, std::vector<content>> ||
    (std::constructible_from<content::block_type, T> && !becomes_one_text<T> && !std::is_arithmetic_v<T>);
/// A structured result as it stands, of which no schema is known.
template <class T>
concept becomes_structured =
    std::same_as<T, boost::json::value> || std::same_as<T, json_text> || std::same_as<T, json_view>;

/// Whether a type is written as an object: else it is the member `result` of one, since a structured result was an
/// object before 2026-07-28.
template <class T>
inline constexpr bool is_written_as_object =
    partyline::detail::written_shape<T> == partyline::detail::shape::structure ||
    partyline::detail::written_shape<T> == partyline::detail::shape::map ||
    partyline::detail::written_shape<T> == partyline::detail::shape::object;

/// The type of a result within `result<T, E>` and `expected<T, E>`.
template <class T>
struct plain_result {
    using type = T;
};
template <partyline::detail::value_or_error T>
struct plain_result<T> {
    using type = typename T::value_type;
};
template <class T>
using plain_result_t = typename plain_result<T>::type;

/// The output of a tool's result.
struct tool_kind {
    static void put_nothing(call_output& out) { out.put_nothing(); }

    template <class T>
    static void put(call_output& out, T&& result)
    {
        using type = std::remove_cvref_t<T>;
        if constexpr (partyline::detail::value_or_error<type>) {
            if (!result.has_value())
                throw rpc_error(std::forward<T>(result).error());
            if constexpr (std::is_void_v<typename type::value_type>)
                out.put_nothing();
            else
                put(out, *std::forward<T>(result));
        } else if constexpr (becomes_one_text<type>)
            out.put_text(result);
        else if constexpr (std::is_same_v<type, tool_result>)
            out.put(result);
        else if constexpr (becomes_content<type>)
            out.put(as_result(std::forward<T>(result)));
        else if constexpr (becomes_structured<type>)
            out.write(result);
        else
            out.put_structured(&partyline::detail::write_any<type>, &result, !is_written_as_object<type>);
    }

    template <class T>
    static constexpr bool check()
    {
        if constexpr (std::is_void_v<T> || becomes_one_text<T> || becomes_content<T> || becomes_structured<T>)
            return true;
        else
            return partyline::detail::check_result<T>();
    }

    /// The type whose schema is that of the structured result; void where there is none.
    template <class T>
    static constexpr bool has_schema =
        !std::is_void_v<T> && !becomes_one_text<T> && !becomes_content<T> && !becomes_structured<T>;

private:
    template <class T>
    static tool_result as_result(T&& from)
    {
        tool_result made;
        if constexpr (std::is_same_v<std::remove_cvref_t<T>, std::vector<content>>)
            made.content = std::forward<T>(from);
        else
            made.content.emplace_back(std::forward<T>(from));
        return made;
    }
};

/// The output of a resource's contents.
struct resource_kind {
    template <class T>
    static constexpr bool check()
    {
        constexpr bool is_resource = is_one<T> || std::is_same_v<T, std::vector<resource_contents>>;
        static_assert(is_resource,
                      "what reads a resource returns a string, an mcp::text_resource, an mcp::blob_resource, "
                      "or a std::vector<mcp::resource_contents>");
        return is_resource;
    }

    template <class T>
    static void put(call_output& out, T&& result)
    {
        using type = std::remove_cvref_t<T>;
        if constexpr (std::is_same_v<type, std::vector<resource_contents>>)
            out.put(result);
        else {
            std::vector<resource_contents> all;
            if constexpr (becomes_one_text<type>)
                all.emplace_back(text_resource{std::string(std::string_view(result))});
            else
                all.emplace_back(std::forward<T>(result));
            out.put(all);
        }
    }
    static void put_nothing(call_output&) {}

private:
    template <class T>
    static constexpr bool is_one = becomes_one_text<T> || std::is_same_v<T, text_resource> ||
                                   std::is_same_v<T, blob_resource> || std::is_same_v<T, resource_contents>;
};

/// The output of a prompt's messages.
struct prompt_kind {
    template <class T>
    static constexpr bool check()
    {
        constexpr bool is_prompt = becomes_one_text<T> || std::is_convertible_v<T, prompt_result>;
        static_assert(is_prompt, "a prompt returns a string, which the user says, an mcp::prompt_message, a "
                                 "std::vector<mcp::prompt_message>, or an mcp::prompt_result");
        return is_prompt;
    }

    template <class T>
    static void put(call_output& out, T&& result)
    {
        if constexpr (becomes_one_text<std::remove_cvref_t<T>>)
            out.put(prompt_result(prompt_message::user(content(std::string(std::string_view(result))))));
        else
            out.put(prompt_result(std::forward<T>(result)));
    }
    static void put_nothing(call_output&) {}
};

} // namespace partyline::mcp::detail
