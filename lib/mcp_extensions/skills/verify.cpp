#include "mcp_extensions/skills/verify.hpp"

#include "mcp_extensions/skills/digest.hpp"
#include "mcp_extensions/skills/frontmatter.hpp"
#include "mcp_extensions/skills/shown.hpp"
#include "mcp_extensions/skills/skill_uri.hpp"

#include <partyline/mcp_extensions/skill_errc.hpp>

#include <boost/system/system_error.hpp>

#include <optional>

namespace partyline::mcp::skills {
namespace {

[[noreturn]] void mismatch(skill_errc how, const std::string& what)
{
    throw boost::system::system_error(make_error_code(how), what);
}

void verify_frontmatter(const skill& of, std::string_view file, const frontmatter_reader& reader)
{
    try {
        const std::optional<std::string> place = find_difference(of.frontmatter, read_frontmatter(file, reader));
        if (place)
            mismatch(skill_errc::wrong_frontmatter, shown(of.uri) + ": \"" + shown(*place) + "\" differs");
    } catch (const frontmatter_error& wrong) {
        mismatch(skill_errc::wrong_frontmatter, shown(of.uri) + ": " + wrong.what());
    }
}

} // namespace

wanted_file find_file(const skill& in, std::string_view file)
{
    const std::optional<std::string> key = file_key(in.uri, file);
    const bool is_entry_file = key == std::string(entry_file);
    if (key && in.is_dynamic) {
        const std::string given(uri_in(in.uri, file));
        return {!given.empty() ? given : file_uri(in.uri, *key), nullptr, is_entry_file};
    }
    if (key)
        for (const skill_resource& each : in.resources)
            if (key_of_uri(in.uri, each.uri) == key)
                return {each.uri, &each, is_entry_file};
    mismatch(skill_errc::no_such_file, shown(in.uri) + ": " + shown(file));
}

void verify(const skill& of, const wanted_file& what, std::string_view bytes, const frontmatter_reader& reader)
{
    if (what.listed && bytes.size() != what.listed->size)
        mismatch(skill_errc::wrong_size, shown(what.uri) + ": expected " + std::to_string(what.listed->size) +
                                             " bytes, got " + std::to_string(bytes.size()));
    if (what.listed)
        if (const std::string digest = digest_of(bytes); digest != what.listed->digest)
            mismatch(skill_errc::wrong_digest,
                     shown(what.uri) + ": expected " + shown(what.listed->digest) + ", got " + digest);
    if (what.is_entry_file && reader)
        verify_frontmatter(of, bytes, reader);
}

} // namespace partyline::mcp::skills
