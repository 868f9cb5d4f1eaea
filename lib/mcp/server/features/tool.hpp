#pragma once

#include "mcp/schema/schema.hpp"
#include "mcp/server/features/feature.hpp"

#include <partyline/mcp/detail/binding.hpp>
#include <partyline/mcp/mirrored_arguments.hpp>
#include <partyline/mcp/server/tool_options.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace partyline::mcp {

/// A tool: its schemas are written once, when it is registered.
class tool final : public detail::feature {
public:
    /// Throws `std::invalid_argument` for a name that clients refuse, and for a schema that is none.
    tool(std::string name, std::string description, detail::tool_binding bound, tool_options options);

    void describe(byte_buffer& out, revision r) const override;
    json_view arguments(const request_members& of, std::string& memory) const override;
    std::string check(json_view arguments) const override;
    const mirrored_arguments& mirrored() const noexcept { return mirrored_; }

private:
    boost::json::object hints() const;

    const std::string description_;
    const tool_options options_;
    const std::optional<schema> checked_; // of one that is written by hand
    const std::string input_schema_;
    const std::string output_schema_; // empty: there is none
    const mirrored_arguments mirrored_;
};

} // namespace partyline::mcp
