#include "mcp/wire/content_text.hpp"

#include "mcp/wire/descriptions.hpp"
#include "protocol/json/base64.hpp"

#include <partyline/protocol/writer.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <stdexcept>
#include <string>
#include <variant>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t max_depth = 128; // of what an author puts into `_meta`

void write_member(byte_buffer& out, std::string_view name, std::string_view text)
{
    out.append(",\"");
    out.append(name);
    out.append("\":");
    write_string(out, text);
}

void write_unless_empty(byte_buffer& out, std::string_view name, std::string_view text)
{
    if (!text.empty())
        write_member(out, name, text);
}

// The members of an object, each behind a comma.
void write_members(byte_buffer& out, const json::object& of)
{
    for (const auto& [name, value] : of) {
        out.push_back(',');
        write_string(out, name);
        out.push_back(':');
        if (const auto problem = write_value(out, value, max_depth))
            throw std::invalid_argument("\"" + std::string(name) + "\" of content is no JSON: " + problem->reason);
    }
}

std::string without_block(std::string_view what, revision r)
{
    return '(' + std::string(what) +
           ": not shown, since the Model Context Protocol has it from a later revision than " +
           std::string(to_string(r)) + " on)";
}

/// Writes the members of one kind of block.
struct block_writer {
    byte_buffer& out;
    revision r;

    void operator()(const text_content& of) const { write_text(of.text); }

    void operator()(const image_content& of) const { write_bytes("image", of.bytes, of.mime_type); }

    void operator()(const audio_content& of) const
    {
        if (r < revision::v2025_03_26)
            return write_text(without_block("audio of type " + of.mime_type, r));
        write_bytes("audio", of.bytes, of.mime_type);
    }

    void operator()(const resource_link& of) const
    {
        if (r < revision::v2025_06_18)
            return write_text(of.name.empty() ? of.uri : of.name + ": " + of.uri);
        out.append(R"({"type":"resource_link")");
        write_member(out, "uri", of.uri);
        write_member(out, "name", of.name);
        write_unless_empty(out, "title", of.title);
        write_unless_empty(out, "description", of.description);
        write_unless_empty(out, "mimeType", of.mime_type);
        json::object others;
        if (of.size)
            others["size"] = *of.size;
        if (r >= revision::v2025_11_25)
            put_icons(others, of.icons);
        write_members(out, others);
    }

    void operator()(const embedded_resource& of) const
    {
        out.append(R"({"type":"resource","resource":)");
        write_resource(out, of.resource, {}, {});
    }

private:
    void write_text(std::string_view text) const
    {
        out.append(R"({"type":"text","text":)");
        write_string(out, text);
    }
    void write_bytes(std::string_view type, std::string_view bytes, std::string_view mime_type) const
    {
        out.append("{\"type\":\"");
        out.append(type);
        out.append("\",\"data\":\"");
        out.append(encode_base64(bytes));
        out.push_back('"');
        write_member(out, "mimeType", mime_type);
    }
};

/// Writes the member of a resource that has its contents.
struct resource_writer {
    byte_buffer& out;

    void operator()(const text_resource& of) const { write_member(out, "text", of.text); }
    void operator()(const blob_resource& of) const
    {
        out.append(",\"blob\":\"");
        out.append(encode_base64(of.bytes));
        out.push_back('"');
    }
};

template <class Member>
std::string_view member_of(const resource_contents& of, Member text_resource::* text, Member blob_resource::* blob)
{
    if (const auto* const known = std::get_if<text_resource>(&of))
        return known->*text;
    return std::get<blob_resource>(of).*blob;
}

} // namespace

void write_content(byte_buffer& out, const content& of, revision r)
{
    std::visit(block_writer{out, r}, of.block);
    json::object others;
    put_annotations(others, of.annotations, r);
    if (r >= revision::v2025_06_18)
        put_meta(others, of.meta);
    write_members(out, others);
    out.push_back('}');
}

void write_contents(byte_buffer& out, const std::vector<content>& all, revision r)
{
    out.push_back('[');
    for (std::size_t i = 0; i != all.size(); ++i) {
        if (i != 0)
            out.push_back(',');
        write_content(out, all[i], r);
    }
    out.push_back(']');
}

void write_text_content(byte_buffer& out, std::string_view text)
{
    out.append(R"([{"type":"text","text":)");
    write_string(out, text);
    out.append("}]");
}

void write_resource(byte_buffer& out, const resource_contents& of, std::string_view uri, std::string_view mime_type)
{
    const std::string_view own_uri = member_of(of, &text_resource::uri, &blob_resource::uri);
    const std::string_view own_type = member_of(of, &text_resource::mime_type, &blob_resource::mime_type);
    out.append("{\"uri\":");
    write_string(out, own_uri.empty() ? uri : own_uri);
    const std::string_view known_type = own_type.empty() ? mime_type : own_type;
    const bool is_text = std::holds_alternative<text_resource>(of);
    const std::string_view default_type = is_text ? "text/plain" : "application/octet-stream";
    write_member(out, "mimeType", known_type.empty() ? default_type : known_type);
    std::visit(resource_writer{out}, of);
    out.push_back('}');
}

void write_message(byte_buffer& out, const prompt_message& of, revision r)
{
    out.append("{\"role\":\"");
    out.append(to_string(of.role));
    out.append("\",\"content\":");
    write_content(out, of.content, r);
    out.push_back('}');
}

} // namespace partyline::mcp
