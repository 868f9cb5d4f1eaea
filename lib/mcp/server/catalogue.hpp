#pragma once

#include "mcp/server/features/extension.hpp"
#include "mcp/server/features/feature.hpp"
#include "mcp/server/server_facts.hpp"

#include <partyline/mcp/revision.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/access_view.hpp>
#include <partyline/session/handler.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// Asks a view for one of a server's features; null: everything is allowed. The key of a resource is its URI,
/// percent-decoded, as the values of a template are: another spelling must not be another resource. Throws
/// `std::bad_alloc`.
access_verdict judge(const access_view* by, feature_kind kind, std::string_view key);
/// Whether it does not exist for whoever has this view.
bool is_hidden(const access_view* by, feature_kind kind, std::string_view key);
/// Throws -31003 where scopes are lacking. The view that has said so is alive.
void require_scope(const access_verdict& verdict);

/// Completes an argument: of a prompt by its name, of a template by its text.
using completer = std::function<std::vector<std::string>(std::string_view)>;
using completer_map = std::map<std::pair<std::string, std::string>, std::shared_ptr<const completer>>;

/// What a server offers at one moment, as sessions look it up. It does not change: after a change there is another one.
///
/// Thread safety: all from any thread.
class catalogue final : public dispatcher {
public:
    /// `ever` says which kinds the server has had: these are its capabilities.
    catalogue(std::shared_ptr<const server_facts> server, std::vector<feature_ptr> enabled, completer_map completers,
              feature_marks ever, std::vector<extension_ptr> extensions);

    // dispatcher
    const method* find(std::string_view name) const noexcept override;
    const method& select(const method& group, const message& m, message_reader& reader) const noexcept override;
    std::string key(const method& group, const message& m, message_reader& reader) const override;

    const server_facts& server() const noexcept { return *server_; }
    /// In order of registration.
    const std::vector<feature_ptr>& enabled() const noexcept { return enabled_; }
    const std::vector<extension_ptr>& extensions() const noexcept { return extensions_; }
    bool has(feature_kind kind) const noexcept { return ever_[static_cast<std::size_t>(kind)]; }
    bool has_resources() const noexcept { return has(feature_kind::resource) || has(feature_kind::resource_template); }
    bool has_completions() const noexcept { return has(feature_kind::prompt) || !completers_.empty(); }
    /// As they are told to a client that may call what `by` says.
    boost::json::object capabilities(revision r, const access_view* by) const;
    /// Whether a template adds to this list what its function says. Then no page of it is the same for all clients,
    /// also where that page has nothing of the template.
    bool has_listed(feature_kind kind) const noexcept { return has_listed_ && kind == feature_kind::resource; }

    /// A page of a list as the result of its method, and none for a cursor that nobody has issued. Without `cursor` it
    /// is the first page. What is hidden from who asks is left out. Throws what a function throws that lists resources.
    std::shared_ptr<const std::string> page(feature_kind kind, revision r, const std::optional<std::string>& cursor,
                                            request_context& asked_by) const;

    /// The lists in which a client with the one view sees something that a client with the other one does not. Throws
    /// `std::bad_alloc`.
    feature_marks different_lists(const access_view* one, const access_view* other) const;

    /// Null where there is none.
    const detail::feature* find(feature_kind kind, std::string_view key) const noexcept;
    const completer* find_completer(const std::string& of, const std::string& argument) const;

private:
    const detail::feature* find_by_uri(std::string_view uri) const; // throws `std::bad_alloc`

    struct page_key {
        feature_kind kind;
        revision of;
        std::uint64_t behind; // the number of the entry that it goes on after
        auto operator<=>(const page_key&) const = default;
    };
    struct restricted_page {
        page_key what;
        std::shared_ptr<const access_view> by; // kept, so that no other one has its address
        std::shared_ptr<const std::string> text;
    };

    using restricted_pages = std::vector<restricted_page>;
    using page_function = std::function<std::shared_ptr<const std::string>()>;

    std::shared_ptr<const std::string> page_for(const page_key& what, const std::shared_ptr<const access_view>& by,
                                                const std::shared_ptr<const list_cursors>& cursors,
                                                const page_function& write) const;
    restricted_pages keep_pages_of(const std::shared_ptr<const list_cursors>& cursors) const noexcept;

    const std::shared_ptr<const server_facts> server_;
    const std::vector<feature_ptr> enabled_; // in order of registration
    std::array<std::unordered_map<std::string_view, const detail::feature*>, feature_kinds> by_key_;
    const completer_map completers_;
    const feature_marks ever_;
    const std::vector<extension_ptr> extensions_;
    bool has_listed_ = false;          // a template lists resources
    const std::vector<method> groups_; // few, and the first stands for what is asked for most
    const method_table methods_;
    const method without_memory_; // serves requests for something that can't be looked up
    mutable std::mutex mutex_;    // of what follows
    mutable std::map<page_key, std::shared_ptr<const std::string>> pages_;
    mutable restricted_pages restricted_pages_;
    mutable std::size_t oldest_restricted_ = 0;
    mutable std::shared_ptr<const list_cursors> signed_by_; // all pages
};

} // namespace partyline::mcp
