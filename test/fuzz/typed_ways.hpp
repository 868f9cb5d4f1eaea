#pragma once

#include "protocol/json/scanner.hpp"
#include "unit/rpc/handler_runner.hpp"

#include <partyline/protocol/writer.hpp>
#include <partyline/rpc/detail/handler_result.hpp>
#include <partyline/rpc/detail/read_argument.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// Typed values are read from text or from values, and written as either: both come to the same.

namespace partyline::test {

enum class mood { calm, very_loud };
BOOST_DESCRIBE_ENUM(mood, calm, very_loud)
constexpr auto notes_of(partyline::of<mood>)
{
    return notes(note(mood::very_loud, wire_name("very \"loud\"")));
}

enum class rank { low = 1, high = 10 };
BOOST_DESCRIBE_ENUM(rank, low, high)
constexpr auto notes_of(partyline::of<rank>)
{
    return notes(as_numbers);
}

/// Takes members that nobody knows.
struct spot {
    std::int8_t x = 7;
    std::optional<double> y = 2.5;
    std::string label = "none";

    static constexpr auto notes()
    {
        return partyline::notes(note(&spot::x, range(-100, 100)), note(&spot::label, defaulted, length(0, 4)),
                                unknown_members::ignored);
    }
};
BOOST_DESCRIBE_STRUCT(spot, (), (x, y, label))

/// All members may be left out, so that short texts are read; "w" has what a name may have.
struct scene {
    std::string text;
    std::vector<std::string> list = {"a", "b"};
    std::optional<spot> at = spot();
    spot other;
    std::map<std::string, std::vector<int>> map;
    std::unordered_map<std::string, bool> flags;
    std::set<std::string> set;
    std::variant<std::int64_t, double, std::string, spot> either;
    mood feeling = mood::calm;
    rank place = rank::low;
    std::tuple<int, bool> pair{1, true};
    std::array<std::uint8_t, 2> bytes{};
    std::uint64_t large = 0;
    std::int64_t number = 0;
    double real = 0.5;
    float narrow = 0;
    bool is_on = true;
    boost::json::value any;
    std::chrono::milliseconds taken{5};
    std::filesystem::path file;
    std::vector<scene> parts;
    std::string odd;

    static constexpr auto notes()
    {
        using me = scene;
        return partyline::notes(
            note(&me::text, defaulted), note(&me::list, defaulted, length(0, 3)), note(&me::other, defaulted),
            note(&me::map, defaulted), note(&me::flags, defaulted), note(&me::set, defaulted),
            note(&me::either, defaulted), note(&me::feeling, defaulted), note(&me::place, defaulted),
            note(&me::pair, defaulted), note(&me::bytes, defaulted), note(&me::large, defaulted),
            note(&me::number, defaulted, at_least(-5)), note(&me::real, defaulted), note(&me::narrow, defaulted),
            note(&me::is_on, defaulted), note(&me::any, defaulted), note(&me::taken, defaulted),
            note(&me::file, defaulted), note(&me::parts, defaulted),
            note(&me::odd, defaulted, one_of("", "one", "tw\u00f6"), wire_name("an \"odd\" \\ name")));
    }
};
BOOST_DESCRIBE_STRUCT(scene, (),
                      (text, list, at, other, map, flags, set, either, feeling, place, pair, bytes, large, number, real,
                       narrow, is_on, any, taken, file, parts, odd))

/// The JSON value within a text, if it is one.
inline json_view find_value(const std::string& text)
{
    scanner scan;
    scan.start(text);
    const char* const begin = scanner::skip_space(text.c_str());
    const char* const end = scan.skip_value(begin, 128);
    if (!end || !scan.at_end(end))
        return {};
    return json_view::checked({begin, static_cast<std::size_t>(end - begin)});
}

/// What became of reading the same params in both ways.
enum class ways {
    both,     ///< it was read straight from text, too, and as the same
    by_value, ///< or refused: by the way that says why
    differ
};

inline std::ostream& operator<<(std::ostream& out, ways which)
{
    return out << (which == ways::both ? "both" : which == ways::by_value ? "by value" : "different");
}

template <class T>
std::string text_by_value(const T& from)
{
    byte_buffer out;
    const auto problem = write_value(out, detail::to_value(from), 128);
    return problem ? problem->reason + problem->where : std::string(out.view());
}

/// Whether a value is written as the same text in both ways.
template <class T>
bool is_written_alike(const T& from)
{
    const lone_context context;
    return detail::to_result<json_text>(context, from).text() == text_by_value(from);
}

/// `read` reads by way of a value: nothing where that does not go.
template <class T, class Read>
ways compare(bool is_straight, const T& straight, Read read)
{
    const std::optional<T> by_value = read();
    if (!is_straight)
        return ways::by_value;
    return by_value && text_by_value(straight) == text_by_value(*by_value) && is_written_alike(straight) ? ways::both
                                                                                                         : ways::differ;
}

/// Reads the same rows from both sources, each into what `make` makes.
template <class Make>
ways read_rows(const request_context& context, json_view params, const detail::parameter_list& names,
               detail::array_view<const detail::read_row> rows, Make make)
{
    detail::params_reader reader(context, params, names);
    auto straight = make();
    const bool is_straight = reader.read_text(&straight, rows);
    return compare(is_straight, straight, [&] {
        std::optional read(make());
        if (!reader.read_values(&*read, rows))
            read.reset();
        return read;
    });
}

/// Of a struct that stands for the params as a whole.
template <class T>
ways read_struct(json_view params, unknown_members unknown)
{
    const lone_context context({}, {unknown, {}});
    const detail::parameter_list names = [&]<class... Member>(boost::mp11::mp_list<Member...>) {
        static constexpr std::array<std::string_view, sizeof...(Member)> all{detail::name_of_member<T, Member>()...};
        return detail::parameter_list(0, all, std::nullopt);
    }(detail::member_list<T>());
    return read_rows(context, params, names, detail::member_rows<T>, [] { return T{}; });
}

/// Of arguments by position or under these names.
template <class... T>
ways read_arguments(json_view params, const detail::parameter_list& names)
{
    static constexpr auto rows = []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<detail::read_row, sizeof...(T)>{detail::read_row{
            {}, !detail::is_optional<T>, [](void* into, detail::json_source& from) {
                return detail::argument_reader<T>::read(from, std::get<I>(*static_cast<std::tuple<T...>*>(into)));
            }}...};
    }(std::index_sequence_for<T...>());
    return read_rows(lone_context(), params, names, rows, [] { return std::tuple<T...>(); });
}

/// Of params of any kind, which choose the types: `kind` is below `kinds_of_params`.
inline constexpr std::size_t kinds_of_params = 4;
inline ways read_params(std::size_t kind, json_view params)
{
    using detail::parameter_list;
    static const parameter_list two(2, 1, parameter_names{"a", "b"});
    static const parameter_list three(3, 2, parameter_names{"a", "\"b\"", "c"});
    switch (kind) {
    case 0: return read_struct<scene>(params, unknown_members::refused);
    case 1: return read_struct<scene>(params, unknown_members::ignored);
    case 2: return read_arguments<std::int32_t, std::optional<std::string>>(params, two);
    default: return read_arguments<double, std::vector<spot>, std::optional<boost::json::value>>(params, three);
    }
}

} // namespace partyline::test
