#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

namespace partyline::access {

/// A table of bounded size: where it is full, the entry that has not been used for longest makes room.
/// Thread safety: none.
template <class Key, class Value, class Hash>
class lru_table {
public:
    explicit lru_table(std::size_t max_size) : max_size_(max_size) {}

    std::size_t size() const noexcept { return entries_.size(); }

    /// Null where it is not there. What is found has been used.
    Value* find(const Key& key) noexcept
    {
        const auto found = entries_.find(key);
        if (found == entries_.end())
            return nullptr;
        unlink(*found);
        link(*found);
        return &found->second.value;
    }

    void put(const Key& key, Value value)
    {
        const auto [found, is_new] = entries_.try_emplace(key);
        found->second.value = std::move(value);
        if (!is_new)
            unlink(*found);
        link(*found);
        if (entries_.size() > max_size_)
            drop(*oldest_);
    }

    void erase(const Key& key) noexcept
    {
        if (const auto found = entries_.find(key); found != entries_.end())
            drop(*found);
    }

    void clear() noexcept
    {
        entries_.clear();
        oldest_ = newest_ = nullptr;
    }

private:
    struct node;
    using entry = std::pair<const Key, node>;
    struct node {
        Value value = {};
        entry* older = nullptr;
        entry* newer = nullptr;
    };

    void link(entry& one) noexcept
    {
        one.second.older = newest_;
        one.second.newer = nullptr;
        (newest_ ? newest_->second.newer : oldest_) = &one;
        newest_ = &one;
    }

    void unlink(entry& one) noexcept
    {
        (one.second.older ? one.second.older->second.newer : oldest_) = one.second.newer;
        (one.second.newer ? one.second.newer->second.older : newest_) = one.second.older;
    }

    void drop(entry& one) noexcept
    {
        unlink(one);
        entries_.erase(entries_.find(one.first));
    }

    const std::size_t max_size_;
    std::unordered_map<Key, node, Hash> entries_;
    entry* oldest_ = nullptr;
    entry* newest_ = nullptr;
};

} // namespace partyline::access
