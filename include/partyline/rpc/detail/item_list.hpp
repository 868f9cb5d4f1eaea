#pragma once

#include <cstddef>
#include <utility>

namespace partyline::detail {

template <std::size_t Place, class Item>
struct listed {
    Item item;
};

template <class Places, class... Item>
struct items_at;

template <std::size_t... Place, class... Item>
struct items_at<std::index_sequence<Place...>, Item...> : listed<Place, Item>... {};

/// Constants of different types, in order: a std::tuple, but for what that asks of the compiler.
template <class... Item>
using item_list = items_at<std::index_sequence_for<Item...>, Item...>;

template <std::size_t Place, class Item>
constexpr const Item& item_at(const listed<Place, Item>& one) noexcept
{
    return one.item;
}

/// Calls `function(item)` for each.
template <std::size_t... Place, class... Item, class Function>
constexpr void visit_items(const items_at<std::index_sequence<Place...>, Item...>& all,
                           [[maybe_unused]] Function function)
{
    (function(item_at<Place>(all)), ...);
}

} // namespace partyline::detail
