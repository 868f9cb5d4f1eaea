// Any text is an access file or is refused with one line that says where. The rules of one that is read judge as a
// reader of the rules would, by names that stand in it and by others. The first line chooses the names.

#include "access/file/access_file.hpp"
#include "access/file/place.hpp"
#include "access/rules/free_methods.hpp"
#include "access/rules/implied_scopes.hpp"
#include "access/rules/view_book.hpp"
#include "fuzz/fuzz_input.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline::access;
using partyline::access_answer;
using partyline::access_verdict;
using partyline::test::fuzz_input;
using partyline::test::require;

namespace {

struct subject {
    std::string principal;
    std::vector<std::string> scopes;
};

bool names_call(const rule& one, std::string_view method, std::string_view key)
{
    return any_fits(one.methods, method) || (method == "tools/call" && any_fits(one.tools, key)) ||
           (method == "prompts/get" && any_fits(one.prompts, key)) ||
           (method == "resources/read" && any_fits(one.resources, key));
}

access_answer judge_slowly(const std::vector<rule>& rules, const subject& who, std::string_view method,
                           std::string_view key)
{
    bool is_named = false;
    if (std::find(free_methods.begin(), free_methods.end(), method) != free_methods.end())
        return access_answer::allowed;
    for (const rule& one : rules) {
        if (!names_call(one, method, key) || (one.principals && !any_fits(*one.principals, who.principal)))
            continue;
        is_named = true;
        if (std::includes(who.scopes.begin(), who.scopes.end(), one.scopes.begin(), one.scopes.end()))
            return access_answer::allowed;
    }
    return is_named ? access_answer::lacks_scope : access_answer::hidden;
}

void add_names(const std::vector<name_pattern>& patterns, std::vector<std::string>& all)
{
    for (const name_pattern& one : patterns) {
        all.push_back(one.name);
        all.push_back(one.name + "x");
    }
}

void judge(const access_file& file, fuzz_input& input)
{
    std::vector<std::string> names = {"", "a", "tools/call", "prompts/get", "resources/read", "ping"};
    subject who = {"alice", {}};
    for (const rule& one : *file.rules) {
        for (const auto* const patterns : {&one.methods, &one.tools, &one.prompts, &one.resources})
            add_names(*patterns, names);
        if (one.principals && input.choose(2) == 1 && !one.principals->front().name.empty())
            who.principal = one.principals->front().name;
        if (!one.scopes.empty() && input.choose(2) == 1)
            who.scopes.push_back(one.scopes[input.choose(one.scopes.size())]);
    }
    who.scopes = with_implied(std::move(who.scopes), file.implies);
    view_book book(*file.rules);
    const auto view = book.find(who.principal, who.scopes);
    names.resize(std::min<std::size_t>(names.size(), 40));
    for (const std::string& method : names)
        for (const std::string& key : names) {
            const access_verdict verdict = view->judge(method, key);
            require(verdict.is == judge_slowly(*file.rules, who, method, key), "the same verdict", method + ' ' + key);
            require(view->explain(method, key).answer == verdict.is, "the verdict that is explained", method);
            require(verdict.required.empty() == (verdict.is != access_answer::lacks_scope),
                    "scopes of one that lacks some");
        }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    try {
        const access_file file = parse_access_file(std::string(input.text()), "/nowhere/");
        if (file.rules)
            judge(file, input);
    } catch (const file_error& refused) {
        const std::string_view why = refused.what();
        require(!why.empty() && why.size() < 2'000, "a short reason", why);
    }
    return 0;
}
