#include "mcp/schema/schema.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using partyline::mcp::mismatch;
using partyline::mcp::schema;
namespace json = boost::json;

namespace {

using texts = std::vector<std::string>;

// The required tests of one draft: those in its folder, without the folders in it.
class score {
public:
    // `dialect`: what documents are given that do not name theirs.
    explicit score(std::string_view dialect) : dialect_(dialect) {}

    void run(const std::filesystem::path& folder)
    {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() == ".json")
                run_file(entry.path());
        }
        std::sort(refused_.begin(), refused_.end());
        std::cout << right_ << " right, " << refused_tests_ << " refused, " << wrong_.size() << " wrong\n";
        for (const std::string& name : refused_)
            std::cout << "refused: " << name << '\n';
    }

    std::size_t right() const { return right_; }
    const texts& refused() const { return refused_; }
    const texts& wrong() const { return wrong_; }

private:
    void run_file(const std::filesystem::path& path)
    {
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const json::value groups = json::parse(text);
        for (const json::value& group : groups.as_array())
            run_group(path.stem().string() + ": " + json::value_to<std::string>(group.at("description")), group);
    }

    void run_group(const std::string& name, const json::value& group)
    {
        json::value document = group.at("schema");
        if (document.is_object() && !document.get_object().contains("$schema"))
            document.get_object().emplace("$schema", dialect_);
        const json::array& tests = group.at("tests").as_array();
        std::optional<schema> compiled;
        try {
            compiled = schema::compile(document);
        } catch (const std::invalid_argument& error) {
            refused_.push_back(name + ": " + error.what());
            refused_tests_ += tests.size();
            return;
        }
        for (const json::value& test : tests)
            run_test(name + ": " + json::value_to<std::string>(test.at("description")), *compiled, test);
    }

    void run_test(const std::string& name, const schema& compiled, const json::value& test)
    {
        const bool fits = compiled.check(test.at("data")).empty();
        if (fits == test.at("valid").as_bool())
            ++right_;
        else
            wrong_.push_back(name + (fits ? ": it fits" : ": it doesn't fit"));
    }

    std::string_view dialect_;
    std::size_t right_ = 0;
    std::size_t refused_tests_ = 0;
    texts refused_;
    texts wrong_;
};

// What a document is refused for that the tests take for granted: all else would be a fault of ours.
bool is_known_refusal(const std::string& name)
{
    constexpr std::string_view reasons[] = {"the reference leads out of the document", "dynamic references",
                                            "the dialect \"", "there is no such keyword", "by Unicode property"};
    return std::any_of(std::begin(reasons), std::end(reasons),
                       [&](std::string_view reason) { return name.find(reason) != std::string::npos; });
}

void check(const char* folder, std::string_view dialect, std::size_t least_right)
{
    score all(dialect);
    all.run(std::filesystem::path(PARTYLINE_JSON_SCHEMA_TESTS) / folder);
    for (const std::string& name : all.wrong())
        BOOST_ERROR(name);
    for (const std::string& name : all.refused())
        BOOST_TEST(is_known_refusal(name), name);
    BOOST_TEST(all.right() >= least_right);
}

} // namespace

BOOST_AUTO_TEST_SUITE(draft2020_12)

// rule: mcp.schema.dialect
BOOST_AUTO_TEST_CASE(no_test_is_answered_wrong)
{
    check("draft2020-12", "https://json-schema.org/draft/2020-12/schema", 1086);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(draft7)

BOOST_AUTO_TEST_CASE(no_test_is_answered_wrong)
{
    check("draft7", "http://json-schema.org/draft-07/schema#", 833);
}

BOOST_AUTO_TEST_SUITE_END()
