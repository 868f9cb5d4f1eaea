#include "mcp/server/server_facts.hpp"

#include "mcp/wire/client_facts.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/written_object.hpp"

#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

implementation make_info(std::string name, std::string version, const server_options& how)
{
    if (name.empty() || version.empty())
        throw std::invalid_argument("a server has a name and a version");
    return {std::move(name), std::move(version), how.title, how.description, how.icons, how.website_url};
}

// What can't be shown is found here, and not when somebody asks.
server_options checked(server_options how)
{
    object_text({{"instructions", how.instructions}});
    return how;
}

std::string make_info_member(const implementation& info)
{
    const std::string whole = object_text({{meta_names::server_info, write_implementation(info, newest_modern)}});
    return whole.substr(1, whole.size() - 2);
}

} // namespace

server_facts::server_facts(std::string name, std::string version, server_options how)
    : options(checked(std::move(how))), info(make_info(std::move(name), std::move(version), options)),
      state(options.state_keys, {options.state_lifetime, options.max_state_bytes}), info_member(make_info_member(info))
{
}

json::object server_facts::info_of(revision r) const
{
    return write_implementation(info, r);
}

} // namespace partyline::mcp
