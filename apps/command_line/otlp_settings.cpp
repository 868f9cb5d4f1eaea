#include "command_line/otlp_settings.hpp"

#include "session/redaction.hpp"

#include <partyline/protocol/printable.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace command_line {
namespace {

using text_pairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view traces_path = "/v1/traces";
constexpr const char* all_endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";
constexpr const char* traces_endpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

std::string_view trimmed(std::string_view text) noexcept
{
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t end = text.find_last_not_of(" \t") + 1;
    return text.substr(begin, end > begin ? end - begin : 0);
}

// %41 is A; what is no such escape stays as it is.
std::string percent_decoded(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        const std::string_view digits = text.substr(std::min(i + 1, text.size()), 2);
        const char* const end = digits.data() + digits.size();
        const bool is_escape =
            text[i] == '%' && digits.size() == 2 && std::from_chars(digits.data(), end, byte, 16).ptr == end;
        decoded += is_escape ? static_cast<char>(byte) : text[i];
        i += is_escape ? 2 : 0;
    }
    return decoded;
}

// "name=value,name=value", as W3C Baggage has them.
text_pairs read_list(const environment& from, const char* variable)
{
    text_pairs all;
    const std::string text = from(variable).value_or("");
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view item = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(item.size() + 1, rest.size()));
        if (trimmed(item).empty())
            continue;
        const std::size_t equals = item.find('=');
        const std::string_view name = trimmed(item.substr(0, equals));
        if (equals == item.npos || name.empty())
            throw std::invalid_argument(std::string(variable) + " is to be a list of NAME=VALUE, with commas between");
        all.emplace_back(name, percent_decoded(trimmed(item.substr(equals + 1))));
    }
    return all;
}

bool is_token(std::string_view text) noexcept
{
    return std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) ||
               std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
    });
}

bool is_value(std::string_view text) noexcept
{
    return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c == '\t' || (c >= ' ' && c != 0x7f); });
}

text_pairs read_fields(const environment& from)
{
    text_pairs fields = read_list(from, "OTEL_EXPORTER_OTLP_HEADERS");
    for (const auto& [name, value] : fields) {
        if (!is_token(name) || !is_value(value))
            throw std::invalid_argument("OTEL_EXPORTER_OTLP_HEADERS has what is no field of HTTP");
    }
    return fields;
}

std::string with_path(std::string base)
{
    while (base.ends_with('/'))
        base.pop_back();
    return base + std::string(traces_path);
}

bool names_user(const std::string& url)
{
    const std::size_t divider = url.find("//");
    const std::size_t begin = divider == url.npos ? 0 : divider + 2;
    return url.substr(begin, url.find_first_of("/?", begin) - begin).find('@') != url.npos;
}

std::string checked(const std::string& url, const std::string& source)
{
    const std::size_t scheme = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
    if (names_user(url)) // whose password is not shown
        throw std::invalid_argument(source + " names a user, which belongs in OTEL_EXPORTER_OTLP_HEADERS: "
                                             "Authorization=Basic%20...");
    const bool is_one = scheme != 0 && url.size() > scheme && url[scheme] != '/' && is_value(url) &&
                        url.find(' ') == url.npos && url.find('#') == url.npos;
    if (!is_one)
        throw std::invalid_argument(source + " is '" + partyline::printable(partyline::redacted(url), 200) +
                                    "', expected the address of a collector: http://127.0.0.1:4318");
    return url;
}

bool has_path(const std::string& url)
{
    const std::size_t slash = url.find('/', url.find("//") + 2);
    return slash != url.npos && slash + 1 != url.size();
}

std::string address_of(const std::string& given, const environment& from)
{
    if (!given.empty()) {
        const std::string url = checked(given, "the argument for option '--otlp'");
        return has_path(url) ? url : with_path(url);
    }
    if (const auto traces = from(traces_endpoint); traces && !traces->empty())
        return checked(*traces, traces_endpoint);
    if (const auto all = from(all_endpoint); all && !all->empty())
        return with_path(checked(*all, all_endpoint));
    throw std::invalid_argument("'--otlp' names no collector, and neither does " + std::string(all_endpoint) +
                                ": --otlp http://127.0.0.1:4318");
}

text_pairs read_resource(const std::string& program, const environment& from)
{
    text_pairs resource = read_list(from, "OTEL_RESOURCE_ATTRIBUTES");
    const auto is_name = [](const auto& one) { return one.first == "service.name"; };
    const std::string said = from("OTEL_SERVICE_NAME").value_or("");
    if (!said.empty())
        std::erase_if(resource, is_name);
    if (std::none_of(resource.begin(), resource.end(), is_name))
        resource.emplace_back("service.name", said.empty() ? program : said);
    return resource;
}

} // namespace

std::optional<std::string> variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<otlp_settings> read_otlp(const std::string& address, const std::string& program, const environment& from)
{
    otlp_settings read;
    read.url = address_of(address, from);
    read.fields = read_fields(from);
    read.resource = read_resource(program, from);
    std::string disabled = from("OTEL_SDK_DISABLED").value_or("");
    std::transform(disabled.begin(), disabled.end(), disabled.begin(), [](unsigned char c) { return std::tolower(c); });
    if (disabled == "true")
        return std::nullopt;
    return read;
}

} // namespace command_line
