#pragma once

#include "mcp/schema/mismatch.hpp"

#include <partyline/config.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace partyline::mcp {

namespace detail {
class schema_program;
}

/// A JSON Schema that values are checked against: of 2020-12, or of draft-07 where `$schema` says so.
///
/// `format` and the keywords about content say something to readers alone. Keywords that begin with `x-` are a user's
/// own. Any other keyword that is not known is refused, and so are dialects, references that lead out of the document
/// or are dynamic, patterns that can't be matched in linear time, and documents of more than 20,000 schemas or 64 in
/// each other. Thread safety: nothing changes once it is made; copies share what was compiled.
class PARTYLINE_EXPORT schema {
public:
    /// What a check takes unless told otherwise: a step is a schema asked about a value, or other work of that length.
    static constexpr std::size_t default_max_steps = 1'000'000;

    /// Throws `std::invalid_argument` with a sentence that names the place. `start` is a reference to the schema in the
    /// document that checking begins with, such as `#/$defs/CallToolResult`.
    static schema compile(const boost::json::value& document, std::string_view start = "#");

    /// The same document, checked from another of its schemas on. Throws `std::invalid_argument` where there is none.
    schema from(std::string_view start) const;

    /// Empty: the value fits. Otherwise what does not, at most ten of it. Whatever the value, it takes no more than so
    /// many steps and asks no more than 640 schemas in each other: a value that needs more does not fit.
    std::vector<mismatch> check(const boost::json::value& instance, std::size_t max_steps = default_max_steps) const;
    /// The same; nothing where it takes more than that to know whether the value fits.
    std::optional<std::vector<mismatch>> check_within(const boost::json::value& instance,
                                                      std::size_t max_steps = default_max_steps) const;

private:
    schema(std::shared_ptr<const detail::schema_program> program, std::uint32_t start) noexcept;

    std::shared_ptr<const detail::schema_program> program_;
    std::uint32_t start_;
};

} // namespace partyline::mcp
