#include "messages.hpp"

#include <boost/json/conversion.hpp>
#include <boost/json/object.hpp>

namespace json = boost::json;

namespace plain_text {
namespace {

constexpr int severity_warning = 2;
constexpr int kind_string = 15; // SymbolKind: what editors show for a heading, too

template <class T>
T member(const json::value& of, json::string_view name)
{
    return json::value_to<T>(of.as_object().at(name));
}

const json::value& text_document(const json::value& params)
{
    return params.as_object().at("textDocument");
}

position read_position(const json::value& from)
{
    return {member<std::uint32_t>(from, "line"), member<std::uint32_t>(from, "character")};
}

text_change read_change(const json::value& from)
{
    text_change change;
    change.text = member<std::string>(from, "text");
    if (const json::value* const where = from.as_object().if_contains("range")) {
        const json::object& ends = where->as_object();
        change.where = range{read_position(ends.at("start")), read_position(ends.at("end"))};
    }
    return change;
}

json::value position_value(const position& at)
{
    return {{"line", at.line}, {"character", at.character}};
}

} // namespace

opened_document tag_invoke(json::value_to_tag<opened_document>, const json::value& params)
{
    const json::value& item = text_document(params);
    return {member<std::string>(item, "uri"), member<std::int64_t>(item, "version"), member<std::string>(item, "text")};
}

changed_document tag_invoke(json::value_to_tag<changed_document>, const json::value& params)
{
    const json::value& item = text_document(params);
    changed_document result{member<std::string>(item, "uri"), member<std::int64_t>(item, "version"), {}};
    for (const json::value& change : params.as_object().at("contentChanges").as_array())
        result.changes.push_back(read_change(change));
    return result;
}

document_name tag_invoke(json::value_to_tag<document_name>, const json::value& params)
{
    return {member<std::string>(text_document(params), "uri")};
}

document_place tag_invoke(json::value_to_tag<document_place>, const json::value& params)
{
    return {member<std::string>(text_document(params), "uri"), read_position(params.as_object().at("position"))};
}

void tag_invoke(json::value_from_tag, json::value& out, const range& from)
{
    out = {{"start", position_value(from.start)}, {"end", position_value(from.end)}};
}

void tag_invoke(json::value_from_tag, json::value& out, const finding& from)
{
    out = {{"range", json::value_from(from.where)},
           {"severity", severity_warning},
           {"code", from.code},
           {"source", "plain-text-server"},
           {"message", from.message}};
}

json::array document_symbols(const std::vector<heading>& headings)
{
    json::array symbols;
    for (const heading& it : headings)
        symbols.push_back({{"name", it.name},
                           {"kind", kind_string},
                           {"range", json::value_from(it.section)},
                           {"selectionRange", json::value_from(it.title)}});
    return symbols;
}

json::array symbol_information(const std::vector<heading>& headings, const std::string& uri)
{
    json::array symbols;
    for (const heading& it : headings)
        symbols.push_back({{"name", it.name},
                           {"kind", kind_string},
                           {"location", {{"uri", uri}, {"range", json::value_from(it.section)}}}});
    return symbols;
}

json::value hover_value(const word& found, const range& where, std::size_t count, std::size_t line_length)
{
    const std::string times = count == 1 ? "once" : std::to_string(count) + " times";
    const std::string text = '"' + std::string(found.text) + "\" stands " + times +
                             " in this document.\nThis line is " + std::to_string(line_length) + " characters long.";
    return {{"contents", {{"kind", "plaintext"}, {"value", text}}}, {"range", json::value_from(where)}};
}

json::value diagnostics(const std::string& uri, std::int64_t version, const std::vector<finding>& findings)
{
    return {{"uri", uri}, {"version", version}, {"diagnostics", json::value_from(findings)}};
}

} // namespace plain_text
