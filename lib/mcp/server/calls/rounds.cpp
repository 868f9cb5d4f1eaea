#include "mcp/server/calls/rounds.hpp"

#include "mcp/state/hmac.hpp"
#include "protocol/json/base64.hpp"

#include <boost/json/serialize.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

// What stands in the memo under a key: `{"q": the question's digest, "a": its answer}`, or `{"r": the result}` of
// `once`, or the digest of a question that was asked in the last round.

std::string digest_of(const detail::question& asked)
{
    constexpr std::size_t enough = 16;
    const std::string text = asked.method + json::serialize(asked.params);
    const sha256_digest digest = sha256(text);
    return encode_base64url(bytes_of(digest).substr(0, enough));
}

std::string result_key(std::string_view key)
{
    return "once:" + std::string(key);
}

std::string answer_key(std::string_view key)
{
    return "ask:" + std::string(key);
}

std::string asked_key(std::string_view key)
{
    return "open:" + std::string(key);
}

} // namespace

rounds::rounds(round_memo memo, json::value brought) : next_(std::move(memo)), brought_(std::move(brought)) {}

const json::value* rounds::answer(const detail::question& asked)
{
    const std::string place = answer_key(asked.key);
    const std::string digest = digest_of(asked);
    if (const json::value* const known = next_.memo.if_contains(place)) {
        const json::object& entry = known->as_object();
        if (entry.at("q").as_string() == digest)
            return &entry.at("a");
        next_.memo.erase(place);
    }
    const json::object* const given = brought_.if_object();
    const json::value* const found = given ? given->if_contains(asked.key) : nullptr;
    if (!found || !found->is_object() || was_asked_otherwise(asked.key, digest))
        return nullptr;
    next_.memo.erase(asked_key(asked.key));
    json::value& kept = next_.memo[place];
    kept = json::object{{"q", digest}, {"a", *found}};
    return &kept.at("a");
}

// What the client has agreed to is what it was asked, and not what has become of that meanwhile. Of what it brings
// unasked nothing is known.
bool rounds::was_asked_otherwise(std::string_view key, const std::string& digest) const
{
    const json::value* const known = next_.memo.if_contains(asked_key(key));
    return known && known->as_string() != digest;
}

void rounds::note_asked()
{
    for (const detail::question& asked : open_)
        next_.memo[asked_key(asked.key)] = digest_of(asked);
}

void rounds::forget_answer(const detail::question& asked)
{
    next_.memo.erase(answer_key(asked.key));
    if (json::object* const given = brought_.if_object())
        given->erase(asked.key);
}

void rounds::add_open(const detail::question& asked)
{
    for (const detail::question& known : open_)
        if (known.key == asked.key)
            return;
    open_.push_back(asked);
}

const json::value* rounds::kept(std::string_view key) const
{
    const json::value* const known = next_.memo.if_contains(result_key(key));
    return known ? &known->as_object().at("r") : nullptr;
}

void rounds::keep(std::string_view key, json::value result)
{
    next_.memo[result_key(key)] = json::object{{"r", std::move(result)}};
}

json::object rounds::questions() const
{
    json::object all;
    for (const detail::question& asked : open_)
        all[asked.key] = json::object{{"method", asked.method}, {"params", asked.params}};
    return all;
}

} // namespace partyline::mcp
