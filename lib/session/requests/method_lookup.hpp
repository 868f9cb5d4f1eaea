#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/handler.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace partyline {

/// Finds methods for a session, in a table that may be replaced while requests of the former one run.
///
/// Flow: `find()` for what comes; `use()` another table at any time; `forget_former()` when nothing is in flight.
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

    /// The method that these params select, where several share the name.
    const method& selected(const method& found, json_view params) const noexcept
    {
        return found.is_group ? methods_->select(found, params) : found;
    }

    /// What is in flight keeps the methods it has.
    void use(std::shared_ptr<const dispatcher> methods)
    {
        former_.push_back(methods_);
        methods_ = std::move(methods);
        last_found_ = nullptr;
    }
    bool has_former() const noexcept { return !former_.empty(); }
    void forget_former() noexcept { former_.clear(); }

private:
    std::shared_ptr<const dispatcher> methods_;
    std::vector<std::shared_ptr<const dispatcher>> former_; // of requests that may still be in flight
    const method* last_found_ = nullptr;                    // in methods_
};

} // namespace partyline
