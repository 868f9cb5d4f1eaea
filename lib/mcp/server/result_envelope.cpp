#include "mcp/server/result_envelope.hpp"

#include <string>

namespace partyline::mcp {

void add_envelope(byte_buffer& result, const result_envelope& of, const server_facts& by)
{
    result.truncate(result.size() - 1);
    result.append(result.view() == "{" ? R"("resultType":")" : R"(,"resultType":")");
    result.append(of.type);
    result.push_back('"');
    if (of.cache) {
        result.append(R"(,"ttlMs":)");
        result.append(std::to_string(of.cache->lifetime.count()));
        result.append(of.cache->is_public ? R"(,"cacheScope":"public")" : R"(,"cacheScope":"private")");
    }
    result.append(R"(,"_meta":{)");
    result.append(of.meta_members);
    if (!of.meta_members.empty())
        result.push_back(',');
    result.append(by.info_member);
    result.append("}}");
}

} // namespace partyline::mcp
