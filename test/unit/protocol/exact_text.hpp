#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace partyline::test {

/// A text and its NUL in a block of just that size, so that a sanitizer sees the first byte read too many.
class exact_text {
public:
    explicit exact_text(std::string_view text) : size_(text.size()), bytes_(new char[size_ + 1])
    {
        std::memcpy(bytes_.get(), text.data(), size_);
        bytes_[size_] = '\0';
    }

    std::string_view view() const { return {bytes_.get(), size_}; }
    operator std::string_view() const { return view(); }

private:
    std::size_t size_;
    std::unique_ptr<char[]> bytes_;
};

} // namespace partyline::test
