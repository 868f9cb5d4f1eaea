#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace partyline::access {

/// Where a value stands in the access file, as people write it: `rules[3].tools[0]`. Each place has the one around it
/// on the stack; the text is made only where something is wrong there.
class place {
public:
    place() = default;
    /// A member of the object at `around`, and an element of the array there.
    place(const place& around, std::string_view name) noexcept : around_(&around), name_(name), is_element_(false) {}
    place(const place& around, std::size_t index) noexcept : around_(&around), index_(index), is_element_(true) {}

    std::string text() const;

private:
    void append_to(std::string& text) const;

    const place* around_ = nullptr; // null: the file as a whole
    std::string_view name_;
    std::size_t index_ = 0;
    bool is_element_ = false;
};

/// What is wrong with the access file: the place and the reason, without the file's name.
class file_error : public std::runtime_error {
public:
    explicit file_error(const std::string& reason) : std::runtime_error(reason) {}
    file_error(const place& where, const std::string& reason);
};

} // namespace partyline::access
