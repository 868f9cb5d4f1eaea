#include "language_client.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <utility>

#include <unistd.h>

namespace json = boost::json;

namespace partyline::test {
namespace {

constexpr const char* published = "textDocument/publishDiagnostics";

json::value document_params(std::string_view uri)
{
    return {{"textDocument", {{"uri", uri}}}};
}

bool is_about(const json::value& params, std::string_view uri)
{
    return std::string_view(params.at("uri").as_string()) == uri;
}

std::int64_t version_of(const json::value& params)
{
    const json::value* const version = params.as_object().if_contains("version");
    return version ? version->as_int64() : 0;
}

std::string place_text(const json::value& place)
{
    return json::serialize(place.at("line")) + ':' + json::serialize(place.at("character"));
}

std::vector<std::string> finding_texts(const json::value& diagnostics)
{
    std::vector<std::string> texts;
    for (const json::value& it : diagnostics.as_array()) {
        const json::value& where = it.at("range");
        texts.push_back(place_text(where.at("start")) + '-' + place_text(where.at("end")) + ' ' +
                        std::string(it.at("code").as_string()));
    }
    return texts;
}

} // namespace

language_client::language_client()
{
    options.framing = framing_kind::content_length;
    options.on_message = [this, first = options.on_message](const message_event& event) {
        if (event.is_error && event.direction == partyline::message_direction::in)
            errors.emplace(event.id, json::parse(event.text).at("error"));
        return first(event);
    };
    listen_to(published);
    listen_to("$/logTrace");
    child_options how;
    how.errors = child_stderr::capture;
    start_server({PARTYLINE_PLAIN_TEXT_SERVER, "--stdio"}, std::move(how));
}

json::object language_client::initialize(json::object params)
{
    params.emplace("processId", ::getpid());
    params.emplace("rootUri", nullptr);
    params.emplace("capabilities", json::object());
    json::object result = result_of(start("initialize", std::move(params))).as_object();
    notify("initialized", json::object());
    return result;
}

void language_client::open(std::string_view uri, std::string_view text, std::int64_t version)
{
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"languageId", "text"}, {"version", version}, {"text", text}}}});
}

void language_client::change(std::string_view uri, std::int64_t version, json::array changes)
{
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", uri}, {"version", version}}}, {"contentChanges", std::move(changes)}});
}

void language_client::close(std::string_view uri)
{
    notify("textDocument/didClose", document_params(uri));
}

pending language_client::ask_hover(std::string_view uri, std::uint32_t line, std::uint32_t character,
                                   boost::asio::cancellation_slot slot)
{
    json::value params{{"textDocument", {{"uri", uri}}}, {"position", {{"line", line}, {"character", character}}}};
    return start("textDocument/hover", std::move(params), {}, slot);
}

pending language_client::ask_symbols(std::string_view uri)
{
    return start("textDocument/documentSymbol", document_params(uri));
}

std::vector<std::string> language_client::findings(std::string_view uri, std::int64_t version)
{
    const auto is_wanted = [&](const heard_notification& it) {
        return it.method == published && is_about(it.params, uri) && version_of(it.params) == version;
    };
    run_until([&] { return std::ranges::any_of(heard, is_wanted); });
    return finding_texts(std::ranges::find_if(heard, is_wanted)->params.at("diagnostics"));
}

std::vector<std::int64_t> language_client::published_versions(std::string_view uri) const
{
    std::vector<std::int64_t> versions;
    for (const json::value& params : heard_of(published)) {
        if (is_about(params, uri))
            versions.push_back(version_of(params));
    }
    return versions;
}

void language_client::wait_published(std::size_t times)
{
    run_until([&] { return heard_of(published).size() >= times; });
}

int language_client::wait_exit()
{
    run_until([&] { return server().exit().has_value(); });
    return server().exit()->status().value_or(-1);
}

int language_client::end()
{
    BOOST_TEST(result_of(start("shutdown")).is_null());
    notify("exit");
    return wait_exit();
}

std::string hover_text(const json::value& hover)
{
    return hover.is_null() ? "null" : std::string(hover.at("contents").at("value").as_string());
}

json::object replacement(std::uint32_t line, std::uint32_t begin, std::uint32_t end, std::string_view text)
{
    const json::value first{{"line", line}, {"character", begin}};
    const json::value last{{"line", line}, {"character", end}};
    return {{"range", {{"start", first}, {"end", last}}}, {"text", text}};
}

json::object new_text(std::string_view text)
{
    return {{"text", text}};
}

} // namespace partyline::test
