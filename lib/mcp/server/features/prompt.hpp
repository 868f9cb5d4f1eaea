#pragma once

#include "mcp/server/features/feature.hpp"

#include <partyline/mcp/detail/binding.hpp>
#include <partyline/mcp/server/tool_options.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// A prompt and its arguments.
class prompt final : public detail::feature {
public:
    prompt(std::string name, std::string description, detail::prompt_binding bound, prompt_options options);

    void describe(byte_buffer& out, revision r) const override;
    json_view arguments(const request_members& of, std::string& memory) const override;

    const std::string& description() const noexcept { return description_; }
    /// What an argument that is an enum may be; nothing for any other.
    std::vector<std::string> names_of(std::string_view argument) const;
    bool completes(std::string_view argument) const noexcept override;

private:
    const std::string description_;
    const prompt_options options_;
    const partyline::detail::schema_type arguments_;
};

} // namespace partyline::mcp
