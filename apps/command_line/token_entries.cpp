#include "command_line/token_entries.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include <stdexcept>

namespace json = boost::json;

namespace command_line {
namespace {

json::object entries_of(const std::string& whole)
{
    boost::system::error_code failed;
    const json::value read = json::parse(whole, failed);
    if (failed || !read.is_object())
        throw std::invalid_argument("it is not what was written there: remove it, and log in again");
    return read.get_object();
}

// Of an entry in the text, with colon and comma.
std::size_t bytes_of(const json::key_value_pair& entry)
{
    return json::serialize(json::string(entry.key())).size() + json::serialize(entry.value()).size() + 2;
}

void forget_oldest(json::object& entries, const std::map<std::string, std::string>& newest)
{
    std::size_t bytes = json::serialize(entries).size() + 1;
    while (bytes > longest_entries && entries.size() > newest.size()) {
        bytes -= bytes_of(*entries.begin());
        entries.stable_erase(entries.begin());
    }
}

} // namespace

std::string entry_of(const std::string& whole, const std::string& name)
{
    const json::object entries = entries_of(whole);
    const json::value* const found = entries.if_contains(name);
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::string changed_entries(const std::string& whole, const std::map<std::string, std::string>& texts)
{
    json::object entries = entries_of(whole);
    std::map<std::string, std::string> newest = texts;
    std::erase_if(newest, [](const auto& one) { return one.second.empty(); });
    for (const auto& [name, text] : texts)
        entries.stable_erase(name);
    for (const auto& [name, text] : newest)
        entries[name] = text;
    forget_oldest(entries, newest);
    std::string changed = json::serialize(entries) + '\n';
    if (changed.size() > longest_entries)
        throw std::invalid_argument("it would be longer than " + std::to_string(longest_entries) + " bytes");
    return changed;
}

} // namespace command_line
