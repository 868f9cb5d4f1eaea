#pragma once

#include <partyline/protocol/message.hpp>
#include <partyline/session/handler.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline {

/// Tells the tables apart that a session has had.
using table_number = std::uint64_t;

/// Finds methods for a session, in a table that may be replaced while requests of the former one run.
///
/// Flow: `find()` for what comes, which keeps `number()`; `use()` another table at any time; `forget_former()` when
/// nothing is in flight, and `forget_former_but()` when `has_many_former()`: a request may be in flight for good.
class method_lookup {
public:
    explicit method_lookup(std::shared_ptr<const dispatcher> methods) noexcept : methods_(std::move(methods)) {}

    /// Null when there is none. Each message is looked up twice, and most ask for the same method as the one before.
    const method* find(std::string_view name)
    {
        if (!last_found_ || last_found_->name != name)
            last_found_ = methods_->find(name);
        return last_found_;
    }

    /// The method that the params of a message select, where several share the name.
    const method& selected(const method& found, const message& m, message_reader& reader) const noexcept
    {
        return found.is_group ? methods_->select(found, m, reader) : found;
    }

    /// What the params of a message for a group name.
    std::string key(const method& group, const message& m, message_reader& reader) const
    {
        return methods_->key(group, m, reader);
    }

    /// Of the table where methods are found now.
    table_number number() const noexcept { return number_; }

    /// What is in flight keeps the methods it has.
    void use(std::shared_ptr<const dispatcher> methods)
    {
        former_.push_back({number_, methods_});
        ++number_;
        methods_ = std::move(methods);
        last_found_ = nullptr;
    }
    bool has_former() const noexcept { return !former_.empty(); }
    void forget_former() noexcept
    {
        former_.clear();
        sweep_at_ = least_sweep;
    }

    /// Twice as many as were in use the last time that was looked at: so each change costs the same, however many there
    /// are.
    bool has_many_former() const noexcept { return former_.size() >= sweep_at_; }
    /// `in_use`: what requests in flight have kept, in order.
    void forget_former_but(const std::vector<table_number>& in_use) noexcept
    {
        std::erase_if(former_, [&](const former_table& one) {
            return !std::binary_search(in_use.begin(), in_use.end(), one.number);
        });
        sweep_at_ = std::max(least_sweep, 2 * former_.size());
    }

private:
    struct former_table {
        table_number number;
        std::shared_ptr<const dispatcher> methods;
    };
    static constexpr std::size_t least_sweep = 8;

    std::shared_ptr<const dispatcher> methods_;
    table_number number_ = 0;
    std::vector<former_table> former_; // of requests that may still be in flight
    std::size_t sweep_at_ = least_sweep;
    const method* last_found_ = nullptr; // in methods_
};

} // namespace partyline
