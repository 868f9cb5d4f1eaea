#include "mcp/wire/extension_methods.hpp"

#include "mcp/wire/methods.hpp"
#include "rpc/wrapped_handler.hpp"

#include <partyline/protocol/printable.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace partyline::mcp {
namespace {

bool is_latin_letter(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_word_end(char c) noexcept
{
    return is_latin_letter(c) || (c >= '0' && c <= '9');
}

// Begins with a letter, ends with a letter or a digit.
bool is_label(std::string_view text) noexcept
{
    return !text.empty() && is_latin_letter(text.front()) && is_word_end(text.back()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_word_end(c) || c == '-'; });
}

bool is_prefix(std::string_view text) noexcept
{
    for (std::size_t dot = 0; (dot = text.find('.')) != text.npos; text.remove_prefix(dot + 1))
        if (!is_label(text.substr(0, dot)))
            return false;
    return is_label(text);
}

bool is_name_after_prefix(std::string_view text) noexcept
{
    return !text.empty() && is_word_end(text.front()) && is_word_end(text.back()) &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return is_word_end(c) || c == '-' || c == '_' || c == '.'; });
}

[[noreturn]] void refuse(std::string_view extension, const std::string& what)
{
    throw std::invalid_argument("the extension \"" + std::string(extension) + "\": " + what);
}

void check(std::string_view extension, const method_table& methods)
{
    if (methods.find({}))
        refuse(extension, "its methods have a fallback");
    if (methods.find("rpc.discover"))
        refuse(extension, "its methods have rpc.discover");
    for (const std::string& name : methods.names()) {
        if (is_of_protocol(name))
            refuse(extension, "the protocol has the method \"" + name + "\" itself");
        if (methods.find(name)->is_notification != name.starts_with("notifications/"))
            refuse(extension,
                   "names of notifications, and no others, begin with \"notifications/\", unlike \"" + name + '"');
    }
}

} // namespace

std::string checked_extension_name(std::string name)
{
    const std::size_t slash = name.find('/');
    const std::string_view all = name;
    if (slash == name.npos || !is_prefix(all.substr(0, slash)) || !is_name_after_prefix(all.substr(slash + 1)))
        throw std::invalid_argument('"' + printable(name) +
                                    "\" is no name of an extension: these are like \"com.example/jobs\"");
    return name;
}

void require_different(std::string_view known, const extension_methods& its, std::string_view added,
                       const extension_methods& own)
{
    if (known == added)
        refuse(known, "it is there already");
    for (const std::string& name : own.names())
        if (its.find(name))
            refuse(known, "it has the method \"" + name + "\" already");
}

extension_methods::extension_methods(std::string_view extension, method_table methods, request_middleware_list around)
    : own_(std::move(methods)), around_(std::move(around))
{
    check(extension, own_);
    for (const std::string& name : own_.names()) {
        const method& own = *own_.find(name);
        method_options options = own.options;
        options.binding.unknown = options.binding.unknown.value_or(unknown_members::ignored);
        auto wrapping = std::make_unique<partyline::detail::wrapped_handler>(*own.target, around_);
        served_.emplace(own.name, method{own.name, std::move(options), std::move(wrapping), own.is_notification});
    }
}

bool extension_methods::are_hidden_from(const access_view& by) const noexcept
{
    const auto is_hidden = [&by](const auto& one) { return by.judge(one.first, {}).is == access_answer::hidden; };
    return !served_.empty() && std::all_of(served_.begin(), served_.end(), is_hidden);
}

const method* extension_methods::find(std::string_view name) const noexcept
{
    const auto found = served_.find(name);
    return found == served_.end() ? nullptr : &found->second;
}

} // namespace partyline::mcp
