#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <utility>

namespace partyline::mcp {

/// The pages that a server has had opened and may tell the end of, by their ids (2025-11-25). Only so many are known,
/// the oldest being forgotten, and only ids of a length that makes sense: of others no end is told.
class open_pages {
public:
    static constexpr std::size_t most = 1000;
    static constexpr std::size_t longest_id = 1024;

    void open(const std::string& id)
    {
        if (id.empty() || id.size() > longest_id)
            return;
        close(id);
        ids_.push_back(id);
        if (ids_.size() > most)
            ids_.pop_front();
    }
    /// False: there is no such page, or its end was told before.
    bool close(const std::string& id)
    {
        const auto found = std::find(ids_.begin(), ids_.end(), id);
        if (found == ids_.end())
            return false;
        ids_.erase(found);
        return true;
    }

private:
    std::deque<std::string> ids_; // the oldest first
};

/// A page that the user is asked to open: unless it is kept, that is declined, or was never decided.
class open_page {
public:
    open_page(open_pages& among, std::string id) : among_(among), id_(std::move(id)) { among_.open(id_); }
    open_page(const open_page&) = delete;
    open_page& operator=(const open_page&) = delete;
    ~open_page()
    {
        if (!is_kept_)
            among_.close(id_);
    }

    void keep() noexcept { is_kept_ = true; }

private:
    open_pages& among_;
    const std::string id_;
    bool is_kept_ = false;
};

} // namespace partyline::mcp
