#include "mcp/server/list_page.hpp"

#include "mcp/server/catalogue.hpp"
#include "mcp/server/features/resource.hpp"
#include "mcp/server/result_envelope.hpp"
#include "mcp/wire/methods.hpp"

#include <stdexcept>
#include <vector>

namespace partyline::mcp {
namespace {

// Where an entry stands: the number of its feature, and for what a template lists its place in that list, from 1 on.
// A cursor holds both: no server ever has so many features.
struct entry_place {
    static constexpr unsigned number_bits = 40;
    static constexpr std::uint64_t most_listed = (std::uint64_t(1) << (64 - number_bits)) - 1;

    std::uint64_t number = 0;
    std::uint64_t listed = 0;

    std::uint64_t packed() const noexcept { return listed << number_bits | number; }
    static entry_place unpack(std::uint64_t from) noexcept
    {
        return {from & ((std::uint64_t(1) << number_bits) - 1), from >> number_bits};
    }
};

class page_writer {
public:
    page_writer(const wanted_page& what, const catalogue& of, const list_cursors& cursors) noexcept
        : what_(what), of_(of), server_(of.server()), cursors_(cursors), names_(names_of(what.kind)),
          behind_(entry_place::unpack(what.behind))
    {
    }

    std::string write(request_context& asked_by)
    {
        out_.append("{\"");
        out_.append(names_.member);
        out_.append("\":[");
        for (const feature_ptr& one : of_.enabled())
            if (one->number() >= behind_.number && !add_of(*one, asked_by))
                break;
        out_.push_back(']');
        if (has_more_)
            out_.append(",\"nextCursor\":\"" + cursors_.make(names_.method, last_.packed()) + '"');
        out_.push_back('}');
        if (era_of(what_.of) == era::modern)
            add_envelope(out_, {.cache = cache()}, server_);
        return std::string(out_.view());
    }

private:
    // What a function lists may be for this client alone. All pages of a list have the same scope.
    cache_rule cache() const noexcept
    {
        const bool is_same_for_all = !what_.by && !of_.has_listed(what_.kind);
        return {server_.options.list_lifetime, server_.options.are_lists_public && is_same_for_all};
    }

    // False when the page is full.
    bool add_of(const detail::feature& one, request_context& asked_by)
    {
        if (has_listed(what_.kind, one))
            return add_listed(static_cast<const resource_template&>(one), asked_by);
        if (one.kind() != what_.kind || one.number() == behind_.number || is_hidden(what_.by, what_.kind, one.key()))
            return true;
        return add({one.number()}, [&] { one.describe(out_, what_.of); });
    }

    // A resource that was added by itself stands in the list already.
    bool add_listed(const resource_template& by, request_context& asked_by)
    {
        const std::vector<listed_resource> listed = by.list(asked_by);
        if (server_.options.page_size != 0 && listed.size() > entry_place::most_listed)
            throw std::length_error("a template lists more resources than a cursor can count");
        for (std::size_t at = by.number() == behind_.number ? behind_.listed : 0; at < listed.size(); ++at) {
            const listed_resource& one = listed[at];
            const bool is_added = of_.find(feature_kind::resource, one.uri);
            if (is_added || is_hidden(what_.by, feature_kind::resource, one.uri))
                continue;
            if (!add({by.number(), at + 1}, [&] { by.describe(out_, one, what_.of); }))
                return false;
        }
        return true;
    }

    template <class Describe>
    bool add(entry_place place, Describe describe)
    {
        has_more_ = server_.options.page_size != 0 && count_ == server_.options.page_size;
        if (has_more_)
            return false;
        if (count_++ != 0)
            out_.push_back(',');
        describe();
        last_ = place;
        return true;
    }

    const wanted_page& what_;
    const catalogue& of_;
    const server_facts& server_;
    const list_cursors& cursors_;
    const list_names names_;
    const entry_place behind_;
    byte_buffer out_;
    std::size_t count_ = 0;
    entry_place last_;
    bool has_more_ = false;
};

} // namespace

list_names names_of(feature_kind kind) noexcept
{
    switch (kind) {
    case feature_kind::tool: return {methods::list_tools, "tools"};
    case feature_kind::resource: return {methods::list_resources, "resources"};
    case feature_kind::resource_template: return {methods::list_templates, "resourceTemplates"};
    case feature_kind::prompt: break;
    }
    return {methods::list_prompts, "prompts"};
}

bool has_listed(feature_kind kind, const detail::feature& one) noexcept
{
    return kind == feature_kind::resource && one.kind() == feature_kind::resource_template &&
           static_cast<const resource_template&>(one).has_list();
}

std::string write_list_page(const wanted_page& what, const catalogue& of, const list_cursors& cursors,
                            request_context& asked_by)
{
    return page_writer(what, of, cursors).write(asked_by);
}

} // namespace partyline::mcp
