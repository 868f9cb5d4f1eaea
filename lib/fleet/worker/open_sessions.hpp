#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::fleet {

/// The sessions of a worker: found by the run that has opened each, and by the id of that call. Costs log n.
class open_sessions {
public:
    std::size_t size() const noexcept { return runs_.size(); }
    bool empty() const noexcept { return runs_.empty(); }
    bool has_run(std::uint64_t run) const noexcept { return runs_.contains(run); }
    bool has_id(std::string_view id) const noexcept { return ids_.contains(id); }

    /// Neither is in it yet. Without memory it is as before.
    void insert(std::uint64_t run, std::string id)
    {
        const auto kept = ids_.insert(std::move(id)).first;
        try {
            runs_.emplace(run, kept);
        } catch (const std::bad_alloc&) {
            ids_.erase(kept);
            throw;
        }
    }
    void erase(std::uint64_t run) noexcept
    {
        const auto known = runs_.find(run);
        if (known == runs_.end())
            return;
        ids_.erase(known->second);
        runs_.erase(known);
    }

private:
    using ids = std::set<std::string, std::less<>>;
    ids ids_;
    std::map<std::uint64_t, ids::const_iterator> runs_;
};

} // namespace partyline::fleet
