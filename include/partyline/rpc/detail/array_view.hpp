#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace partyline::detail {

/// A view of a constant table: like a std::span, without the compile time that a span costs for each type.
template <class T>
class array_view {
public:
    constexpr array_view() noexcept = default;
    constexpr array_view(T* first, std::size_t count) noexcept : first_(first), count_(count) {}
    template <std::size_t Count>
    constexpr array_view(const std::array<std::remove_const_t<T>, Count>& from) noexcept
        requires(std::is_const_v<T>)
        : first_(from.data()), count_(Count)
    {
    }

    constexpr T* begin() const noexcept { return first_; }
    constexpr T* end() const noexcept { return first_ + count_; }
    constexpr std::size_t size() const noexcept { return count_; }
    constexpr bool empty() const noexcept { return count_ == 0; }
    constexpr T& operator[](std::size_t index) const noexcept { return first_[index]; }
    constexpr T& front() const noexcept { return *first_; }

private:
    T* first_ = nullptr;
    std::size_t count_ = 0;
};

} // namespace partyline::detail
