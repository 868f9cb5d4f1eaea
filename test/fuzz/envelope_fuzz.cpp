// Messages are taken apart as the rules have it, judged by what Boost.JSON makes of the same text.

#include "fuzz/envelope_reference.hpp"
#include "fuzz/fuzz_input.hpp"
#include "fuzz/json_tree.hpp"
#include "protocol/framing/envelope_skimmer.hpp"
#include "unit/protocol/exact_text.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

using namespace partyline::test;
using partyline::defect;
using partyline::message;
namespace json = boost::json;

namespace {

json_tree tree_of(std::string_view text)
{
    json_tree tree;
    require(parse_tree(text, tree) != json_validity::invalid, "it is JSON", text);
    return tree;
}

bool is_within(std::string_view part, std::string_view text)
{
    return part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size();
}

// Of duplicates the last counts, once; of numbers what a double makes of them.
bool is_same(const json::value& value, const json_tree& tree)
{
    switch (tree.what) {
    case json_tree::kind::null: return value.is_null();
    case json_tree::kind::boolean: return value.is_bool() && value.get_bool() == (tree.text == "true");
    case json_tree::kind::number:
        return value.is_number() && value.to_number<double>() == std::strtod(tree.text.c_str(), nullptr);
    case json_tree::kind::string: return value.is_string() && value.get_string() == tree.text;
    case json_tree::kind::array:
        return value.is_array() && std::equal(value.get_array().begin(), value.get_array().end(), tree.children.begin(),
                                              tree.children.end(), is_same);
    case json_tree::kind::object: break;
    }
    if (!value.is_object())
        return false;
    for (const auto& member : value.get_object()) {
        const json_tree* const other = tree.find(member.key());
        if (!other || !is_same(member.value(), *other))
            return false;
    }
    return std::all_of(tree.names.begin(), tree.names.end(),
                       [&](const std::string& name) { return value.get_object().contains(name); });
}

bool has_infinity(const json_tree& tree)
{
    if (tree.what == json_tree::kind::number)
        return std::isinf(std::strtod(tree.text.c_str(), nullptr));
    return std::any_of(tree.children.begin(), tree.children.end(), has_infinity);
}

// As a value, and as the text that is written of it.
void check_value(partyline::json_view view, const json_tree& tree)
{
    json::value value;
    try {
        value = view.to_value();
    } catch (const partyline::rpc_error&) {
        require(has_infinity(tree) || tree.has_half_pair(), "a value is refused for what none can be made of",
                view.text());
        return;
    }
    require(!tree.has_half_pair(), "no value has a lone surrogate", view.text());
    require(is_same(value, tree), "the value is the one that Boost.JSON reads", view.text());
    partyline::byte_buffer written;
    require(!partyline::write_value(written, value, tree.depth()), "a value that was read can be written", view.text());
    require(is_same(value, tree_of(written.view())), "what is written of a value is that value", written.view());
}

class envelope_check {
public:
    explicit envelope_check(const partyline::limits& bounds) : bounds_(bounds), reader_(bounds) {}

    void run(std::string_view text)
    {
        json_tree tree;
        const json_validity validity = parse_tree(text, tree);
        const message& m = reader_.read(text);
        if (validity == json_validity::invalid)
            return check_invalid(m, text);
        if (validity == json_validity::unknown)
            return;
        require(m.problem.what != defect::kind::not_json, "it is JSON", text);
        if (tree.depth() > std::max<std::size_t>(bounds_.depth, 1))
            check_too_deep(m, tree, text);
        else if (tree.what == json_tree::kind::array)
            check_batch(m, tree, text);
        else
            check_single(m, tree, text);
        check_skimmer(tree, text);
    }

private:
    // Where nesting too deep came first, nobody looked further.
    void check_invalid(const message& m, std::string_view text)
    {
        if (m.problem.what == defect::kind::too_deep) {
            const auto opened = std::count(text.begin(), text.end(), '[') + std::count(text.begin(), text.end(), '{');
            require(static_cast<std::size_t>(opened) > bounds_.depth, "it may be nested too deep", text);
            return;
        }
        const bool is_reply = m.type == partyline::message_type::reply;
        require(m.problem.what == defect::kind::not_json && (is_reply || m.type == partyline::message_type::bad),
                "it is not JSON", text);
        require(m.problem.offset <= text.size(), "a parse error has a place", text);
        require(m.id.empty() || is_reply, "only what looks like a response has an id", text);
    }

    void check_too_deep(const message& m, const json_tree& tree, std::string_view text)
    {
        require(m.problem.what == defect::kind::too_deep, "it is nested too deep", text);
        require(m.problem.limit == bounds_.depth && m.problem.value == tree.depth(), "how deep it is nested", text);
        envelope_reference expected;
        if (!judge_unread(tree, text, bounds_, expected))
            return;
        const bool is_array = tree.what == json_tree::kind::array;
        if (is_array && !expected.looks_like_response)
            expected.id = nullptr; // of one response among requests
        require(m.is_array == (is_array && expected.looks_like_response), "whether it is an array of responses", text);
        const auto what = expected.looks_like_response ? partyline::message_type::reply : partyline::message_type::bad;
        require(m.type == what, "what is nested too deep is a response or bad", text);
        check_id(m.id, m.id_key, expected.id, text);
    }

    void check_batch(const message& m, const json_tree& tree, std::string_view text)
    {
        const std::size_t count = tree.children.size();
        if (count == 0 || count > 4 * bounds_.batch_elements)
            return check_bad_batch(m, count, text);
        const bool is_too_long = count > bounds_.batch_elements;
        require(m.problem.what == (is_too_long ? defect::kind::batch_too_long : defect::kind::none),
                "whether the batch is too long", text);
        require(m.type == partyline::message_type::batch, "it is a batch", text);
        require(reader_.elements().size() == count, "all elements are found", text);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string_view element = reader_.elements()[i];
            require(is_within(element, text) && tree_of(element) == tree.children[i], "the element's text", element);
            check_single(reader_.read_element(element), tree.children[i], element);
        }
    }

    void check_bad_batch(const message& m, std::size_t count, std::string_view text)
    {
        const bool is_reply = m.type == partyline::message_type::reply && m.is_array;
        require(is_reply || m.type == partyline::message_type::bad, "it is bad, or replies that are not taken", text);
        require(m.problem.what == (count == 0 ? defect::kind::invalid : defect::kind::batch_too_long),
                "the batch is empty or far too long", text);
        require(count == 0 || m.problem.value == count, "how long the batch is", text);
        require(m.id.empty() || is_reply, "only replies have an id", text);
        require(reader_.elements().empty(), "a bad batch has no elements", text);
    }

    void check_single(const message& m, const json_tree& tree, std::string_view text)
    {
        envelope_reference expected;
        if (!judge(tree, text, bounds_, expected))
            return;
        require(m.type == expected.what, "what kind of message it is", text);
        require(m.problem.what == expected.problem, "what is wrong with it", text);
        check_id(m.id, m.id_key, expected.id, text);
        if (m.type != partyline::message_type::request && m.type != partyline::message_type::notification)
            return;
        require(m.method == tree.find("method")->text, "the method", text);
        check_params(m, tree.find("params"), text);
        check_id(m.id, m.id_key, expected.id, text); // still, after others have been found
    }

    void check_params(const message& m, const json_tree* params, std::string_view text)
    {
        const bool has_params = params && params->what != json_tree::kind::null;
        require(m.params.empty() != has_params, "whether there are params", text);
        if (!has_params)
            return;
        require(is_within(m.params.text(), text) && tree_of(m.params.text()) == *params, "the params", text);
        check_value(m.params, *params);
        for (const std::string& name : params->names)
            check_member(m.params, name, *params->find(name));
        require(params->find("absent") || reader_.find_member(m.params, "absent").empty(), "a member is absent", text);
    }

    void check_member(partyline::json_view params, std::string_view name, const json_tree& member)
    {
        const std::string_view found = reader_.find_member(params, name).text();
        require(tree_of(found) == member, "a member of the params", name);
        require(reader_.find_param(name).text() == found, "a member of the params, which are gone through once", name);
        if (found.starts_with('{'))
            reader_.expect(partyline::json_view::checked(found)); // in the messages to come, which must not show it
        std::string_view id;
        std::string_view key;
        if (!reader_.find_id(params, name, id, key))
            require(!is_id(member) || found.size() > bounds_.id_bytes, "an id in the params", found);
        else
            check_id(id, key, &member, params.text());
    }

    void check_skimmer(const json_tree& tree, std::string_view text)
    {
        partyline::envelope_skimmer skim(bounds_.id_bytes);
        skim.reset();
        skim.feed(text);
        skim.finish();
        require(skim.depth() == tree.depth(), "the envelope_skimmer's depth", text);
        envelope_reference expected;
        if (!judge_unread(tree, text, bounds_, expected))
            return;
        require(skim.looks_like_response() == expected.looks_like_response, "the envelope_skimmer's response", text);
        require(skim.id().empty() != (expected.id != nullptr), "the envelope_skimmer has the id", text);
        require(!expected.id || tree_of(skim.id()) == *expected.id, "the envelope_skimmer's id", text);
    }

    static void check_id(std::string_view id, std::string_view key, const json_tree* expected, std::string_view about)
    {
        require(id.empty() != (expected != nullptr) && id.empty() == key.empty(), "there is an id", about);
        if (!expected)
            return;
        require(tree_of(id) == *expected, "the id", about);
        const bool is_string = expected->what == json_tree::kind::string;
        require(key == (is_string ? '"' + expected->text + '"' : expected->text), "the id's key", about);
    }

    const partyline::limits& bounds_;
    partyline::message_reader reader_;
};

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    partyline::limits bounds;
    bounds.depth = input.choose_of({128, 0, 1, 2, 3, 5, 31, 40});
    bounds.id_bytes = input.choose_of({1024, 0, 1, 3, 4, 8, 40});
    bounds.batch_elements = input.choose_of({1000, 0, 1, 2, 3});
    const exact_text text(input.text());
    envelope_check(bounds).run(text.view());
    return 0;
}
