#include <partyline/mcp/server/requester.hpp>

#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/client_facts.hpp"

#include <partyline/mcp/tool_error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/value.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {

requester::requester(const request_context& of) : facts_(client_of(of, session_of(of).get())) {}
requester::requester(boost::intrusive_ptr<const client_facts> facts) noexcept : facts_(std::move(facts)) {}
requester::requester(const requester& other) noexcept = default;
requester& requester::operator=(const requester& other) noexcept = default;
requester::~requester() = default;

era requester::era() const noexcept
{
    return era_of(revision());
}

revision requester::revision() const noexcept
{
    return facts_->revision;
}

const implementation& requester::client_info() const noexcept
{
    return facts_->info;
}

json::object requester::client_capabilities() const
{
    return std::move(json_view::checked(facts_->capabilities).to_value().get_object());
}

bool requester::can_elicit() const noexcept
{
    return facts_->can_elicit();
}

bool requester::can_elicit_url() const noexcept
{
    return facts_->can_elicit_url();
}

bool requester::can_sample() const noexcept
{
    return facts_->can_sample();
}

bool requester::can_sample_with_tools() const noexcept
{
    return facts_->can_sample_with_tools();
}

bool requester::can_list_roots() const noexcept
{
    return facts_->can_list_roots();
}

std::optional<json::object> requester::extension(std::string_view name) const
{
    const json_view settings = facts_->extension(name);
    if (settings.empty())
        return std::nullopt;
    return std::move(settings.to_value().get_object());
}

void requester::require_extension(std::string_view name) const
{
    if (facts_->extension(name).empty())
        throw missing_capability({{"extensions", json::object{{name, json::object()}}}});
}

} // namespace partyline::mcp
