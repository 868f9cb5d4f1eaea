#include <partyline/protocol/request_id.hpp>

namespace partyline {

void request_id::assign(std::string_view text, std::string_view key)
{
    text_.assign(text);
    text_size_ = text.size();
    if (key.data() != text.data() && key != text)
        text_.append(key);
}

void request_id::clear() noexcept
{
    text_.clear();
    text_size_ = 0;
}

} // namespace partyline
