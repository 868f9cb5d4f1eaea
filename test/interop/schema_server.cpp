// A server whose one method has params of every kind that a schema can tell of: see schema_client.mjs.
#include <partyline/partyline.hpp>

#include <boost/describe.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using partyline::note;

namespace {

enum class order { by_name, by_date };
BOOST_DESCRIBE_ENUM(order, by_name, by_date)
constexpr auto notes_of(partyline::of<order>)
{
    return partyline::notes(note(order::by_date, "newest first", partyline::wire_name("by-date")));
}

enum class severity { error = 1, hint = 4 };
BOOST_DESCRIBE_ENUM(severity, error, hint)
constexpr auto notes_of(partyline::of<severity>)
{
    return partyline::notes(partyline::as_numbers);
}

struct folder {
    std::string path;
    std::optional<std::int8_t> depth;
};
BOOST_DESCRIBE_STRUCT(folder, (), (path, depth))

struct anything {
    bool flag = false;
    std::int32_t number = 0;
    std::uint16_t small = 0;
    double real = 0;
    std::string pattern;
    int limit = 50;
    double ratio = 0;
    std::string kind;
    order sort = order::by_date;
    severity level = severity::hint;
    folder where;
    std::vector<folder> folders;
    std::map<std::string, int> counts;
    std::array<int, 2> pair{};
    std::tuple<int, std::string> mixed;
    std::variant<int, std::string> either;
    std::optional<std::vector<std::string>> names;
    std::chrono::milliseconds time{};
    std::filesystem::path file;
    std::string class_;

    static constexpr auto notes()
    {
        using me = anything;
        return partyline::notes(
            note(&me::pattern, "Text to look for", partyline::length(1, 4)),
            note(&me::limit, "At most so many", partyline::defaulted, partyline::range(1, 1000)),
            note(&me::ratio, partyline::at_least(0.5)), note(&me::kind, partyline::one_of("file", "folder")),
            note(&me::sort, partyline::defaulted), note(&me::folders, partyline::length(1, 2)),
            note(&me::counts, partyline::length(0, 1)), note(&me::class_, partyline::wire_name("class")));
    }
};
BOOST_DESCRIBE_STRUCT(anything, (),
                      (flag, number, small, real, pattern, limit, ratio, kind, sort, level, where, folders, counts,
                       pair, mixed, either, names, time, file, class_))

} // namespace

int main()
{
    partyline::method_table methods;
    methods.add("check", [](anything params) { return params; }, {.description = "Returns what it has read"});
    methods.add_discovery({"schema-server", "1"});
    return partyline::run_stdio(std::move(methods));
}
