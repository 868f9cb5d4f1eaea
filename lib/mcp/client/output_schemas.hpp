#pragma once

#include "mcp/schema/schema.hpp"

#include <partyline/config.hpp>
#include <partyline/mcp/client/listed.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace partyline::mcp {

/// What the structured results of a tool that is listed so are to fit: see `output_schemas::find`.
std::optional<schema> compile_output(const tool_info& listed);

/// What the structured results of tools are to fit, as their server lists them.
///
/// Bounded by the bytes of names and schemas as text: where there is no room for one more, the others are forgotten.
/// Schemas are compiled when they are first asked for; what was compiled takes many times the text of its schema, so it
/// is kept of some tools at a time.
///
/// A list that was asked for before something was forgotten may be outdated: whoever asks takes the `epoch()` before,
/// and notes nothing when it is another one then. Thread safety: none.
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
    /// The tool may be listed otherwise now.
    void forget(const std::string& name) noexcept;
    /// All of them may be.
    void clear() noexcept;

    /// How often something was forgotten, but for want of room.
    std::uint64_t epoch() const noexcept { return epoch_; }
    /// How many schemas are compiled.
    std::size_t compiled() const noexcept { return compiled_; }

    /// Whether it was noted what is listed of that name.
    bool knows(const std::string& name) const { return tools_.contains(name); }
    /// Nothing where the tool is listed without. Throws `failed_call` for one that can't be checked by, and knows the
    /// tool no longer.
    std::optional<schema> find(const std::string& name);

private:
    struct output {
        std::string text; // empty: without
        std::optional<schema> compiled;
    };
    using tools = std::map<std::string, output>;

    static std::size_t bytes_of(const std::string& name, const std::string& text) noexcept
    {
        return name.size() + text.size() + bytes_of_tool;
    }
    void put(const std::string& name, std::string text);
    void compile(tools::iterator which);
    void erase(tools::iterator which) noexcept;
    void erase_all() noexcept;

    const std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    std::size_t compiled_ = 0;
    std::uint64_t epoch_ = 0;
    tools tools_;
};

} // namespace partyline::mcp
