#pragma once

#include <memory>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

namespace partyline {

/// Values of any types, at most one of each, that travel with a request or a call. Values stay where they are until
/// they are replaced or all of them go, the youngest first.
class attachments {
public:
    attachments() = default;
    attachments(attachments&&) noexcept = default;
    attachments& operator=(attachments&& other) noexcept
    {
        clear();
        values_ = std::move(other.values_);
        return *this;
    }
    ~attachments() { clear(); }

    /// Keeps `value`, in place of one of the same type.
    template <class T>
    T& attach(T value)
    {
        static_assert(!std::is_reference_v<T> && !std::is_const_v<T>, "a value of a plain type is attached");
        auto made = std::make_shared<T>(std::move(value));
        T& kept = *made;
        keep(typeid(T), std::move(made));
        return kept;
    }

    /// The value of that type; null when there is none.
    template <class T>
    T* find() noexcept
    {
        return static_cast<T*>(look_up(typeid(T)));
    }

    /// Drops all values, the youngest first, and what their destructors attach.
    void clear() noexcept
    {
        while (!values_.empty()) {
            const entry youngest = std::move(values_.back()); // its destructor may attach something
            values_.pop_back();
        }
    }

private:
    struct entry {
        std::type_index type;
        std::shared_ptr<void> value;
    };

    void keep(std::type_index type, std::shared_ptr<void> value)
    {
        for (entry& known : values_) {
            if (known.type == type) {
                known.value = std::move(value);
                return;
            }
        }
        values_.push_back({type, std::move(value)});
    }

    void* look_up(std::type_index type) const noexcept
    {
        for (const entry& known : values_) {
            if (known.type == type)
                return known.value.get();
        }
        return nullptr;
    }

    std::vector<entry> values_; // few: it is searched from the beginning
};

} // namespace partyline
