#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace partyline {

/// A suspended coroutine, as the completion handler that Asio made for it: whatever its type, held in place. (In 1.81
/// `any_completion_handler` allocates, and assigning one recurses until the stack is gone.)
/// Destroying it destroys the coroutine.
class parked_coroutine {
public:
    parked_coroutine() = default;
    parked_coroutine(const parked_coroutine&) = delete;
    parked_coroutine& operator=(const parked_coroutine&) = delete;
    ~parked_coroutine() { reset(); }

    template <class Handler>
    void emplace(Handler&& handler)
    {
        using held = std::decay_t<Handler>;
        static_assert(sizeof(held) <= sizeof memory_ && alignof(held) <= alignof(void*));
        static_assert(std::is_nothrow_move_constructible_v<held>);
        ::new (static_cast<void*>(memory_)) held(std::forward<Handler>(handler));
        act_ = [](void* memory, bool is_call) {
            held* stored = std::launder(static_cast<held*>(memory));
            held taken(std::move(*stored));
            std::destroy_at(stored);
            if (is_call)
                std::move(taken)();
        };
    }

    explicit operator bool() const noexcept { return act_ != nullptr; }

    void resume() { std::exchange(act_, nullptr)(memory_, true); }
    void reset()
    {
        if (act_)
            std::exchange(act_, nullptr)(memory_, false);
    }

private:
    alignas(void*) std::byte memory_[2 * sizeof(void*)];
    void (*act_)(void* memory, bool is_call) = nullptr;
};

} // namespace partyline
