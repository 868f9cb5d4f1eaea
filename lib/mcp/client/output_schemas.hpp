#pragma once

#include "mcp/schema/schema.hpp"

#include <partyline/config.hpp>
#include <partyline/mcp/client/listed.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace partyline::mcp {

/// What the structured results of tools are to fit, as their server lists them.
///
/// Bounded by the bytes of names and schemas as text: where there is no room for one more, the others are forgotten.
/// Schemas are compiled when they are first asked for; what was compiled takes many times the text of its schema, so it
/// is kept of some tools at a time. Thread safety: none.
class PARTYLINE_EXPORT output_schemas {
public:
    /// Of how many tools the compiled schemas are kept.
    static constexpr std::size_t most_compiled = 64;
    /// What a tool counts for besides its name and its schema.
    static constexpr std::size_t bytes_of_tool = 128;

    explicit output_schemas(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

    /// This is how the tool is listed.
    void note(const tool_info& listed);
    /// No tool of that name is listed.
    void note_missing(const std::string& name);
    void clear() noexcept;

    /// Whether it was noted what is listed of that name.
    bool knows(const std::string& name) const { return tools_.contains(name); }
    /// Nothing where the tool is listed without. Throws `failed_call` for one that can't be checked by.
    std::optional<schema> find(const std::string& name);

private:
    struct output {
        std::string text; // empty: without
        std::optional<schema> compiled;
    };

    static std::size_t bytes_of(const std::string& name, const std::string& text) noexcept
    {
        return name.size() + text.size() + bytes_of_tool;
    }
    void put(const std::string& name, std::string text);

    const std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    std::size_t compiled_ = 0; // at most so many
    std::map<std::string, output> tools_;
};

} // namespace partyline::mcp
