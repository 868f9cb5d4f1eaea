#include <partyline/protocol/request_id.hpp>

namespace partyline {

void request_id::assign(std::string_view text, std::string_view key)
{
    text_.assign(text);
    text_size_ = text.size();
    const bool is_same = key.data() == text.data() && key.size() == text.size();
    if (!is_same && key != text)
        text_.append(key);
}

void request_id::clear() noexcept
{
    text_.clear();
    text_size_ = 0;
}

} // namespace partyline
