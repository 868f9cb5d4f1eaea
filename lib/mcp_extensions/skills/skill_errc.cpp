#include <partyline/mcp_extensions/skill_errc.hpp>

#include <string>

namespace partyline::mcp {
namespace {

class skill_error_category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline.mcp.skill"; }

    std::string message(int code) const override
    {
        switch (static_cast<skill_errc>(code)) {
        case skill_errc::no_such_file: return "the skill has no such file";
        case skill_errc::wrong_size: return "a file of a skill has not the size that the skill says";
        case skill_errc::wrong_digest: return "a file of a skill has not the digest that the skill says";
        case skill_errc::wrong_frontmatter: return "the frontmatter of SKILL.md is not what the skill says";
        }
        return "unknown error " + std::to_string(code);
    }
};

} // namespace

const boost::system::error_category& skill_category() noexcept
{
    static const skill_error_category instance;
    return instance;
}

} // namespace partyline::mcp
