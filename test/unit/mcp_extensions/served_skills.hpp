#pragma once

#include <partyline/mcp/testing/test_client.hpp>
#include <partyline/mcp_extensions/server_skills.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <utility>

namespace skills_test {

namespace json = boost::json;
namespace mcp = partyline::mcp;

inline json::object skill_says(const std::string& name)
{
    return {{"name", name}, {"description", "Does " + name + "."}, {"metadata", {{"version", "1.5"}}}};
}

inline std::string skill_text(const std::string& name)
{
    return "---\nname: \"" + name + "\"\ndescription: \"Does " + name +
           ".\"\nmetadata: {\"version\": \"1.5\"}\n---\n\nDo " + name + ".\n";
}

inline mcp::skill_handle add_skill(mcp::server_skills& to, const std::string& name, const std::string& prefix = {})
{
    return to.add(prefix + name, skill_says(name), "Do " + name + ".\n",
                  {{"refs/how to.md", "So."}, {"logo.png", "\x89PNG\xff"}});
}

inline json::value ask_skills(mcp::test_client& client, const std::string& method,
                              partyline::call_params params = nullptr)
{
    return json::parse(client.request(method, std::move(params)).text());
}

inline int refused_code(mcp::test_client& client, const std::string& method, partyline::call_params params)
{
    return client.start_request(method, std::move(params)).error().code;
}

} // namespace skills_test
