#include "messages.hpp"

namespace plain_text {

std::vector<document_symbol> document_symbols(const std::vector<heading>& headings)
{
    std::vector<document_symbol> symbols;
    for (const heading& it : headings)
        symbols.push_back({.name = it.name, .range = it.section, .title = it.title});
    return symbols;
}

std::vector<symbol_information> symbols_at(const std::string& uri, const std::vector<heading>& headings)
{
    std::vector<symbol_information> symbols;
    for (const heading& it : headings)
        symbols.push_back({.name = it.name, .location = {uri, it.section}});
    return symbols;
}

hover_text describe_word(const word& found, const range& where, std::size_t count, std::size_t line_length)
{
    const std::string times = count == 1 ? "once" : std::to_string(count) + " times";
    hover_text hover{.contents = {}, .range = where};
    hover.contents.value = '"' + std::string(found.text) + "\" stands " + times + " in this document.\nThis line is " +
                           std::to_string(line_length) + " characters long.";
    return hover;
}

std::vector<diagnostic> diagnostics_of(const std::vector<finding>& findings)
{
    std::vector<diagnostic> all;
    for (const finding& it : findings) {
        diagnostic one{.range = it.where, .code = std::string(it.code), .message = it.message};
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace plain_text
