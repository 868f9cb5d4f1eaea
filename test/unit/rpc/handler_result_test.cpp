#include "unit/rpc/handler_runner.hpp"

#include <partyline/protocol/writer.hpp>
#include <partyline/rpc/detail/handler_result.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

using namespace partyline;
using namespace std::string_literals;
namespace json = boost::json;

namespace gallery {

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

struct spot {
    double x = 0;
    float y = 0;
    std::optional<int> z;
};
BOOST_DESCRIBE_STRUCT(spot, (), (x, y, z))

struct nulls {
    std::optional<int> none;
    std::optional<spot> at;

    static constexpr auto notes() { return partyline::notes(empty_optionals::null); }
};
BOOST_DESCRIBE_STRUCT(nulls, (), (none, at))

// With a conversion of its own.
struct price {
    int cents = 0;
};
void tag_invoke(json::value_from_tag, json::value& to, const price& from)
{
    to = json::array{from.cents, "ct"};
}

struct nothing {};
BOOST_DESCRIBE_STRUCT(nothing, (), ())

struct picture : spot {
    std::string title;
    std::vector<std::string> tags;
    std::map<std::string, std::vector<mood>> moods;
    std::multimap<std::string, int> many;
    std::vector<picture> parts;
    std::variant<bool, rank, std::vector<spot>> either;
    std::tuple<int, std::string, nothing> three;
    std::optional<nulls> inner;
    price cost;
    json::value any;
    json::object members;
    std::chrono::milliseconds taken{0};
    std::filesystem::path file;
    std::unordered_map<std::string, bool> flags;
    std::vector<bool> bits;
    std::map<const char*, int> by_pointer;
    const char* text = nullptr;
    std::string_view view;
    char letter = 'a';

    static constexpr auto notes() { return partyline::notes(note(&picture::title, wire_name("the \"title\""))); }
};
BOOST_DESCRIBE_STRUCT(picture, (spot),
                      (title, tags, moods, many, parts, either, three, inner, cost, any, members, taken, file, flags,
                       bits, by_pointer, text, view, letter))

picture painted()
{
    static const char same[] = "p";
    static const char other[] = "p";
    picture made;
    made.x = -0.0;
    made.y = 0.1f;
    made.z = 3;
    made.title = "a \"b\"\n\u00e9\x01";
    made.tags = {"", "long enough to be no short string", "\\"};
    made.moods = {{"m", {mood::calm, mood::very_loud, static_cast<mood>(9)}}, {"n", {}}};
    made.many = {{"a", 1}, {"b", 2}, {"a", 3}};
    made.parts.resize(2);
    made.parts[1].either = std::vector<spot>(2);
    made.either = rank::high;
    made.three = {1, "two", {}};
    made.inner.emplace();
    made.any = {{"k", json::array{1, 2.0, nullptr}}};
    made.members = {{"x", 1e300}, {"y", std::numeric_limits<std::uint64_t>::max()}};
    made.taken = std::chrono::milliseconds(-7);
    made.file = "/tmp/x y";
    made.flags = {{"one", true}};
    made.bits = {true, false};
    made.by_pointer = {{same, 1}, {other, 2}};
    made.text = "pointed at";
    made.view = "seen";
    return made;
}

} // namespace gallery

namespace {

/// As a session writes a value, and with its reason where it has none.
std::string text_by_value(const json::value& value, std::size_t depth)
{
    byte_buffer out;
    if (const auto problem = write_value(out, value, depth))
        return problem->reason + " at " + problem->where;
    return std::string(out.view());
}

/// Keeps what it is given, as a session would write it.
class writing_recorder final : public result_writer {
public:
    explicit writing_recorder(std::size_t depth) : depth_(depth) {}
    void write(const json::value& result) override { text = text_by_value(result, depth_); }
    void write(json_view result) override
    {
        is_text = true;
        text = result.text();
    }
    void write(const json_text&) override { text = "unchecked"; }

    std::string text;
    bool is_text = false;

private:
    std::size_t depth_;
};

} // namespace

namespace {

struct written {
    std::string text;
    bool is_text = false;
};

template <class T>
written write_as_result(const T& result, binding_policy binding = {}, std::size_t depth = 128)
{
    lone_context context({}, binding, depth);
    writing_recorder out(depth);
    detail::write_result(context, out, T(result));
    return {out.text, out.is_text};
}

/// Whether a result is written as text, and as its value would be.
template <class T>
bool is_same_text(const T& result, binding_policy binding = {}, std::size_t depth = 128)
{
    const json::value value = detail::to_value(result, binding.empty.value_or(empty_optionals::left_out));
    const written told = write_as_result(result, binding, depth);
    BOOST_TEST_INFO(told.text);
    BOOST_TEST_INFO(text_by_value(value, depth));
    return told.is_text && told.text == text_by_value(value, depth);
}

/// Whether one without text is told as its value would be.
template <class T>
bool is_same_failure(const T& result, std::string_view told, std::size_t depth = 128)
{
    const written got = write_as_result(result, {}, depth);
    BOOST_TEST_INFO(got.text);
    return !got.is_text && got.text == told && got.text == text_by_value(detail::to_value(result), depth);
}

} // namespace

BOOST_AUTO_TEST_SUITE(handler_result_)

BOOST_AUTO_TEST_CASE(text_is_what_a_value_would_be_written_as)
{
    BOOST_TEST(is_same_text(gallery::painted()));
    BOOST_TEST(is_same_text(gallery::painted(), {{}, empty_optionals::null}));
    BOOST_TEST(is_same_text(gallery::picture()));
    BOOST_TEST(is_same_text(gallery::nothing()));
    BOOST_TEST(is_same_text(gallery::nulls()));
    BOOST_TEST(is_same_text(gallery::mood::very_loud));
    BOOST_TEST(is_same_text(gallery::rank::low));
    BOOST_TEST(is_same_text(std::optional<std::string>()));
    BOOST_TEST(is_same_text(std::optional("text"s)));
    BOOST_TEST(is_same_text(std::vector<std::vector<double>>{{1.5, -2}, {}, {1e-320, 1e21, 123456789012345680.0}}));
    BOOST_TEST(is_same_text(std::list<std::int64_t>{std::numeric_limits<std::int64_t>::min(), 0}));
    BOOST_TEST(is_same_text(std::deque<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()}));
    BOOST_TEST(is_same_text(std::set<float>{0.1f, 3.0f, std::numeric_limits<float>::max()}));
    BOOST_TEST(is_same_text(std::array<bool, 2>{true, false}));
    BOOST_TEST(is_same_text(std::tuple<>()));
    BOOST_TEST(is_same_text(std::tuple(json::value(json::array{1, "a"}))));
    BOOST_TEST(is_same_text(std::pair(json::string("s"), json::array{"k", 1})));
    BOOST_TEST(is_same_text(std::map<std::filesystem::path, int>{{"a/b", 1}, {"\"", 2}}));
    BOOST_TEST(is_same_text(std::map<int, gallery::price>{{1, {5}}}));
    BOOST_TEST(is_same_text(std::chrono::duration<double>(2)));
    BOOST_TEST(is_same_text(std::vector<json::value>{{{"a", 1}}, "b", nullptr}));
    BOOST_TEST(is_same_text(std::variant<int, std::string>("text")));
}

BOOST_AUTO_TEST_CASE(a_struct_is_written_member_by_member)
{
    gallery::spot at{2, 0.5f, {}};
    BOOST_TEST(write_as_result(at).text == R"({"x":2.0,"y":0.5})");
    BOOST_TEST(write_as_result(at, {{}, empty_optionals::null}).text == R"({"x":2.0,"y":0.5,"z":null})");
    const std::string text = write_as_result(gallery::painted()).text;
    BOOST_TEST(text.find(R"("many":{"a":1,"b":2})") != std::string::npos); // the first of a name
    BOOST_TEST(text.find(R"("by_pointer":{"p":)") != std::string::npos);
    BOOST_TEST(text.find(R"("cost":[0,"ct"])") != std::string::npos);
    BOOST_TEST(text.find(R"("inner":{"none":null,"at":null})") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(values_are_handed_on_as_values)
{
    BOOST_TEST(!write_as_result(1).is_text);
    BOOST_TEST(!write_as_result("text"s).is_text);
    BOOST_TEST(!write_as_result(json::value(1)).is_text);
    BOOST_TEST(!write_as_result(gallery::price{5}).is_text);
    BOOST_TEST(write_as_result(gallery::price{5}).text == R"([5,"ct"])");
}

BOOST_AUTO_TEST_CASE(what_has_no_text_is_handed_on_as_a_value_whose_writer_says_why)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    gallery::picture bad = gallery::painted();
    bad.parts[1].x = none;
    BOOST_TEST(is_same_failure(bad, "a number that is not finite at /parts/1/x"));
    BOOST_TEST(is_same_failure(std::vector{1.0, none}, "a number that is not finite at /1"));
    BOOST_TEST(is_same_failure(std::vector{"a"s, "\xC3"s}, "text that is not UTF-8 at /1"));
    BOOST_TEST(is_same_failure(std::map<std::string, int>{{"\xFF", 1}}, "text that is not UTF-8 at /\xEF\xBF\xBD"));
    BOOST_TEST(is_same_failure(std::multimap<std::string, double>{{"a", none}}, "a number that is not finite at /a"));
}

BOOST_AUTO_TEST_CASE(results_are_bounded_in_depth)
{
    gallery::picture top;
    top.parts.resize(1);
    top.parts[0].parts.resize(1);
    BOOST_TEST(is_same_text(top, {}, 7));
    BOOST_TEST(is_same_failure(top, "nested deeper than 6 at /parts/0/parts/0/three/2", 6));
    BOOST_TEST(is_same_failure(top, "nested deeper than 1 at /tags", 1));
    json::array nested; // not with braces, by which compilers make different arrays
    nested.emplace_back(json::array());
    const std::vector<json::value> values(1, nested);
    BOOST_TEST(is_same_text(values, {}, 3));
    BOOST_TEST(is_same_failure(values, "nested deeper than 2 at /0/0", 2));
}

BOOST_AUTO_TEST_CASE(a_coroutine_ends_with_the_same_text)
{
    const auto to_text = [](const auto& result, request_id id = request_id(1)) {
        const lone_context context({}, {}, 2, std::move(id));
        return detail::to_result<json_text>(context, result);
    };
    const json_text text = to_text(std::vector<std::string>{"a", "b"});
    BOOST_TEST(text.text() == R"(["a","b"])");
    BOOST_TEST(text.is_checked());

    const std::vector<std::vector<std::vector<int>>> deep{{{1}}};
    const json::value told{{"reason", "the result holds nested deeper than 2"}, {"where", "/0/0"}};
    const auto is_told = [&](const rpc_error& error) {
        return error.error().code == error_codes::internal_error && error.error().data == told;
    };
    BOOST_CHECK_EXCEPTION(to_text(deep), rpc_error, is_told);
    BOOST_TEST(to_text(deep, request_id()).text() == "null"); // nobody asks
}

BOOST_AUTO_TEST_SUITE_END()
