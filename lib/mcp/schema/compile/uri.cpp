#include "mcp/schema/compile/uri.hpp"

#include <algorithm>
#include <optional>

namespace partyline::mcp::detail {
namespace {

struct uri_parts {
    std::optional<std::string_view> scheme;
    std::optional<std::string_view> authority;
    std::string_view path;
    std::optional<std::string_view> query;
};

bool is_scheme(std::string_view name) noexcept
{
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto may_follow = [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || std::string_view("+-.").find(c) != std::string_view::npos;
    };
    return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), may_follow);
}

std::optional<std::string_view> take_scheme(std::string_view& uri) noexcept
{
    const std::size_t colon = uri.find(':');
    if (colon == std::string_view::npos || !is_scheme(uri.substr(0, colon)))
        return std::nullopt;
    const std::string_view scheme = uri.substr(0, colon);
    uri.remove_prefix(colon + 1);
    return scheme;
}

std::optional<std::string_view> take_authority(std::string_view& uri) noexcept
{
    if (!uri.starts_with("//"))
        return std::nullopt;
    const std::size_t end = std::min(uri.find_first_of("/?", 2), uri.size());
    const std::string_view authority = uri.substr(2, end - 2);
    uri.remove_prefix(end);
    return authority;
}

uri_parts parts_of(std::string_view uri) noexcept
{
    uri_parts parts;
    parts.scheme = take_scheme(uri);
    parts.authority = take_authority(uri);
    const std::size_t question = uri.find('?');
    parts.path = uri.substr(0, question);
    if (question != std::string_view::npos)
        parts.query = uri.substr(question + 1);
    return parts;
}

// RFC 3986, 5.2.4, for paths that begin with a slash; others keep their dots.
std::string without_dots(std::string_view path)
{
    std::string out;
    while (path.starts_with('/')) {
        const std::size_t end = std::min(path.find('/', 1), path.size());
        const std::string_view step = path.substr(1, end - 1);
        path.remove_prefix(end);
        if (step == "..")
            out.resize(std::min(out.rfind('/'), out.size()));
        else if (step != ".")
            out.append("/").append(step);
        if (path.empty() && (step == "." || step == ".."))
            out += '/';
    }
    return out.append(path);
}

std::string merged(const uri_parts& base, std::string_view path)
{
    if (base.authority && base.path.empty())
        return "/" + std::string(path);
    const std::size_t slash = base.path.rfind('/');
    const std::string_view folder =
        slash == std::string_view::npos ? std::string_view() : base.path.substr(0, slash + 1);
    return std::string(folder).append(path);
}

std::string written(const uri_parts& base, const uri_parts& rest, std::string_view path)
{
    std::string uri;
    if (base.scheme)
        uri.append(*base.scheme).append(":");
    if (rest.authority)
        uri.append("//").append(*rest.authority);
    uri.append(path);
    return rest.query ? uri.append("?").append(*rest.query) : uri;
}

} // namespace

std::pair<std::string_view, std::string_view> split_fragment(std::string_view uri) noexcept
{
    const std::size_t hash = std::min(uri.find('#'), uri.size());
    return {uri.substr(0, hash), uri.substr(std::min(hash + 1, uri.size()))};
}

std::string resolve_uri(std::string_view base_uri, std::string_view reference)
{
    const uri_parts base = parts_of(base_uri);
    uri_parts to = parts_of(reference);
    if (to.scheme)
        return written(to, to, without_dots(to.path));
    if (to.authority)
        return written(base, to, without_dots(to.path));
    to.authority = base.authority;
    if (to.path.empty()) {
        to.query = to.query ? to.query : base.query;
        return written(base, to, base.path);
    }
    return written(base, to, without_dots(to.path.starts_with('/') ? std::string(to.path) : merged(base, to.path)));
}

} // namespace partyline::mcp::detail
