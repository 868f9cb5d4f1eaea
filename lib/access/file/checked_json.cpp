#include "access/file/checked_json.hpp"

#include "access/file/place.hpp"
#include "protocol/json/for_each_member.hpp"
#include "protocol/json/scanner.hpp"

#include <partyline/protocol/json_text.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace partyline::access {
namespace {

[[noreturn]] void fail_at(const std::string& text, std::size_t offset, const std::string& reason)
{
    const std::string_view before = std::string_view(text).substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = offset - (before.rfind('\n') + 1); // npos + 1 is 0
    throw file_error("line " + std::to_string(line) + ", column " + std::to_string(column + 1) + ": " + reason);
}

/// Looks for repeated names in text that is known to be JSON and not nested deep.
class name_check {
public:
    void check(std::string_view value, const place& where)
    {
        if (value.front() == '{')
            check_object(value, where);
        else if (value.front() == '[')
            check_array(value, where);
    }

private:
    void check_object(std::string_view object, const place& where)
    {
        scanner scan;
        std::string memory;
        std::unordered_set<std::string> names;
        for_each_member(scan, object, memory, [&](const member_text& one) {
            const std::string name(one.name);
            const place member(where, name);
            if (name != "//" && !names.insert(name).second)
                throw file_error(member, "this name is there twice");
            check(one.value, member);
        });
    }

    void check_array(std::string_view array, const place& where)
    {
        scanner scan;
        scan.start(array);
        const char* p = scanner::skip_space(array.data() + 1);
        for (std::size_t i = 0; *p != ']'; ++i) {
            const char* const end = scan.skip_value(p, array.size());
            check({p, static_cast<std::size_t>(end - p)}, place(where, i));
            p = scanner::skip_space(end);
            if (*p == ',')
                p = scanner::skip_space(p + 1);
        }
    }
};

} // namespace

boost::json::value read_checked_json(const std::string& text, std::size_t depth)
{
    scanner scan;
    scan.start(text);
    scan.decode_half_pairs(scanner::half_pairs::refused);
    const char* const begin = scanner::skip_space(text.c_str());
    const char* const end = scan.skip_value(begin, depth);
    if (!end || !scan.at_end(end))
        fail_at(text, scan.offset(), scan.reason());
    const std::string_view value(begin, static_cast<std::size_t>(end - begin));
    name_check().check(value, {});
    auto built = json_view::checked(value).try_to_value();
    if (!built)
        throw file_error(built.error().message);
    return std::move(*built);
}

} // namespace partyline::access
