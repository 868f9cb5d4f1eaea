#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/mcp/log_level.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/object.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// What a server knows of the client that sent a request: from the handshake, or from what the request says itself. It
/// does not change; requests share it.
struct client_facts : boost::intrusive_ref_counter<client_facts> {
    mcp::revision revision = newest_legacy;
    implementation info = {};
    /// What the client says that it can do: a JSON object. As text, since values take many times their text, and each
    /// request of a client that says something else every time has its own.
    std::string capabilities = "{}";
    /// What the client wants to be told while this request is served (2026-07-28).
    std::optional<log_level> log_from = {};
    /// The `_meta` that says all this (2026-07-28), as most of the client's requests have it; empty for one that is
    /// long.
    std::string said = {};

    /// What all this takes.
    std::size_t bytes() const noexcept;
    /// `read` is the value of `text`.
    void declare(std::string_view text, const boost::json::object& read);
    /// The settings of an extension that it has declared, an object; empty where it has not. Looks through all of them.
    json_view extension(std::string_view name) const;

    // What a revision does not have is not asked for, whatever the client says.

    bool can_elicit() const noexcept { return takes_forms_ && revision >= mcp::revision::v2025_06_18; }
    bool can_elicit_url() const noexcept { return takes_pages_ && revision >= mcp::revision::v2025_11_25; }
    bool can_sample() const noexcept { return samples_; }
    bool can_sample_with_tools() const noexcept { return takes_tools_ && revision >= mcp::revision::v2025_11_25; }
    bool can_list_roots() const noexcept { return has_roots_; }

private:
    bool takes_forms_ = false;
    bool takes_pages_ = false;
    bool samples_ = false;
    bool takes_tools_ = false;
    bool has_roots_ = false;
};

/// Small enough to stand in a `std::any` by itself.
using client_facts_ptr = boost::intrusive_ptr<const client_facts>;

/// Who it says it is, from a `clientInfo` or `serverInfo`: what is missing is left empty, and all where something has
/// another type.
implementation read_implementation(const boost::json::value& from);
/// The same as it is written.
boost::json::object write_implementation(const implementation& of, revision r);

} // namespace partyline::mcp
