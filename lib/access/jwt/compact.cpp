#include "access/jwt/compact.hpp"

#include "access/ascii_lower.hpp"
#include "protocol/json/base64.hpp"

#include <algorithm>
#include <utility>

namespace partyline::access {
namespace {

constexpr std::size_t header_depth = 4;
constexpr std::size_t claims_depth = 32;

struct compact_parts {
    std::string_view header;
    std::string_view payload;
    std::string_view signature;
};

std::optional<compact_parts> split(std::string_view token)
{
    const std::size_t first = token.find('.');
    const std::size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
    if (second == token.npos)
        return std::nullopt; // a third dot is no character of base64url
    return compact_parts{token.substr(0, first), token.substr(first + 1, second - first - 1), token.substr(second + 1)};
}

std::optional<object_members> read_object(std::string_view base64url, std::size_t depth)
{
    std::optional<std::string> text = decode_base64url(base64url);
    return text ? object_members::read(std::move(*text), depth) : std::nullopt;
}

// RFC 7515 §4.1.9: a media type, which has no case. RFC 9068 §2.1: both forms of that of access tokens.
bool is_access_token(json_view type)
{
    if (type.empty())
        return true;
    std::optional<std::string> name = text_of(type);
    if (!name)
        return false;
    std::transform(name->begin(), name->end(), name->begin(), ascii_lower);
    return *name == "jwt" || *name == "at+jwt" || *name == "application/at+jwt";
}

bool is_for(jwt_use use, json_view type)
{
    return use == jwt_use::proof ? text_of(type) == proof_type : is_access_token(type);
}

bool read_header(const object_members& header, jwt_use use, compact_jwt& token)
{
    const json_view key_id = header.find("kid");
    const std::optional<std::string> algorithm = text_of(header.find("alg"));
    const std::optional<jwt_algorithm> known = algorithm ? algorithm_of(*algorithm, use) : std::nullopt;
    if (!known || !header.find("crit").empty() || !is_for(use, header.find("typ")))
        return false;
    token.algorithm = *known;
    token.key_id = text_of(key_id);
    return key_id.empty() || token.key_id;
}

} // namespace

std::optional<compact_jwt> read_compact(std::string_view token, jwt_use use)
{
    if (token.size() > max_jwt_bytes)
        return std::nullopt;
    const std::optional<compact_parts> parts = split(token);
    const std::optional<object_members> header = parts ? read_object(parts->header, header_depth) : std::nullopt;
    compact_jwt read;
    if (!header || !read_header(*header, use, read))
        return std::nullopt;
    std::optional<object_members> claims = read_object(parts->payload, claims_depth);
    std::optional<std::string> signature = decode_base64url(parts->signature);
    if (!claims || !signature || signature->empty())
        return std::nullopt;
    read.signed_part = token.substr(0, parts->header.size() + 1 + parts->payload.size());
    read.claims = std::move(*claims);
    read.signature = std::move(*signature);
    return read;
}

} // namespace partyline::access
