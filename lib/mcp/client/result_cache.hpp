#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// Results that a server says how long they are good (`ttlMs`, 2026-07-28): lists, and what was read of resources, by
/// their requests, which are a method and the members of its params but for `_meta`, as JSON text. Of more than so many
/// bytes the least recently used go.
///
/// All of them are one client's, which speaks for one principal: so `cacheScope`, which says who else might have them,
/// makes no difference.
///
/// Flow: `find()`; where there is nothing, `begin()` as the request is sent, `on_reply()` when it is answered by a
/// result, and `keep()` with what that gave. Time is passed in. Thread safety: none.
class PARTYLINE_EXPORT result_cache {
public:
    using clock = std::chrono::steady_clock;

    /// No result is kept for longer, whatever the server says.
    static constexpr std::chrono::milliseconds longest_lifetime = std::chrono::hours(24);
    /// What a result counts for besides the text of it and of its request.
    static constexpr std::size_t bytes_of_entry = 256;

    /// A result that takes more than a quarter of `max_bytes` is not kept.
    explicit result_cache(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

    /// What is kept of this request and still good.
    std::optional<json_text> find(std::string_view method, std::string_view members, clock::time_point now);
    /// The request is sent. One for the first page of a list begins that anew: pages behind it, which the cursors of
    /// before lead to, are not mixed with the new ones.
    std::uint64_t begin(std::string_view method, const std::string& members) noexcept;
    /// A result has come, to be kept or not; `begun` is what `begin()` gave. Of a first page that drops the pages that
    /// have come since it was asked for, as a transport forgets then what it knows of them.
    std::uint64_t on_reply(std::string_view method, const std::string& members, std::uint64_t begun) noexcept;
    /// Keeps a complete result, unless it is not to be kept, answers a request with answers to questions of the server,
    /// or something has been dropped of its kind since it was asked for: `begun` is what `on_reply()` gave. Where there
    /// is no memory for it, it is not kept.
    void keep(std::string_view method, const std::string& members, std::uint64_t begun, const json_text& result,
              clock::time_point now) noexcept;

    /// Drops the results of a method.
    void drop(std::string_view method) noexcept;
    /// Drops lists of resources and of templates, and what was read: a resource may be there no longer.
    void drop_resources() noexcept;
    /// Drops what was read of a resource, of those below it, and of those that it is below.
    void drop_resource(std::string_view uri) noexcept;
    /// Drops everything.
    void clear() noexcept;

    std::size_t bytes() const noexcept { return bytes_; }

private:
    struct entry {
        std::size_t kind; // number of the method
        std::string key;
        std::string resource; // of what was read
        json_text result;
        clock::time_point end;

        std::size_t bytes() const noexcept
        {
            return key.size() + resource.size() + result.text().size() + bytes_of_entry;
        }
    };
    using entries = std::list<entry>;

    void drop_kind(std::size_t kind) noexcept;
    template <class Predicate>
    void erase_if(const Predicate& is_unwanted) noexcept;
    void erase(entries::iterator which) noexcept;
    void add(entry made);

    const std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    entries entries_; // the least recently used last
    std::map<std::string_view, entries::iterator> by_key_;
    std::array<std::uint64_t, 5> generations_{}; // of each kind: how often something of it was dropped
};

/// What `read` makes of a result of this method; where it throws, such results are not kept.
template <class Read>
auto read_or_drop(result_cache& kept, std::string_view method, const Read& read)
{
    try {
        return read();
    } catch (...) {
        kept.drop(method);
        throw;
    }
}

} // namespace partyline::mcp
