#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline {

/// The names of a handler's parameters in their order, so that a request may give them by name: `{"a", "b"}`.
class parameter_names {
public:
    parameter_names(std::initializer_list<std::string_view> names) : names_(names.begin(), names.end()) {}
    explicit parameter_names(std::vector<std::string> names) : names_(std::move(names)) {}

    const std::vector<std::string>& names() const noexcept { return names_; }

private:
    std::vector<std::string> names_;
};

} // namespace partyline
