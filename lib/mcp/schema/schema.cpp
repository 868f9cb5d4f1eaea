#include "mcp/schema/schema.hpp"

#include "mcp/schema/check/checker.hpp"
#include "mcp/schema/schema_program.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

using detail::checker;
using detail::schema_program;
using detail::step_budget;

std::uint32_t find_start(const schema_program& program, std::string_view start)
{
    try {
        return program.index().resolve(0, start);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("there is no schema at " + std::string(start) + ": " + error.what());
    }
}

struct findings {
    std::vector<mismatch> problems;
    bool is_known = true; // whether the value fits
};

// Only the second look is for something to tell.
findings too_much(std::string expected, const std::vector<mismatch>* told)
{
    findings made;
    made.problems.push_back({"", std::move(expected), "one that needs more"});
    made.is_known = told != nullptr;
    return made;
}

// Most values fit: that is found out without a word, and only what does not is looked at again for what to say.
findings findings_of(const schema_program& program, std::uint32_t start, const json::value& instance,
                     std::size_t max_steps)
{
    const detail::value_place whole;
    std::vector<mismatch> problems;
    for (std::vector<mismatch>* const told : {static_cast<std::vector<mismatch>*>(nullptr), &problems}) {
        step_budget budget(max_steps);
        checker check(program.nodes(), budget);
        const bool does_fit = check.fits(start, {instance, whole, nullptr, told});
        if (budget.is_used_up())
            return too_much("value that can be checked in " + std::to_string(max_steps) + " steps", told);
        if (check.is_too_deep())
            return too_much(
                "value that " + std::to_string(detail::max_check_depth) + " schemas in each other can check", told);
        if (does_fit)
            return {};
    }
    return {std::move(problems)};
}

} // namespace

schema::schema(std::shared_ptr<const schema_program> program, std::uint32_t start) noexcept
    : program_(std::move(program)), start_(start)
{
}

schema schema::compile(const json::value& document, std::string_view start)
{
    auto program = std::make_shared<const schema_program>(document);
    const std::uint32_t id = find_start(*program, start);
    return schema(std::move(program), id);
}

schema schema::from(std::string_view start) const
{
    return schema(program_, find_start(*program_, start));
}

std::vector<mismatch> schema::check(const json::value& instance, std::size_t max_steps) const
{
    return findings_of(*program_, start_, instance, max_steps).problems;
}

std::optional<std::vector<mismatch>> schema::check_within(const json::value& instance, std::size_t max_steps) const
{
    findings found = findings_of(*program_, start_, instance, max_steps);
    if (!found.is_known)
        return std::nullopt;
    return std::move(found.problems);
}

} // namespace partyline::mcp
