#include "rpc/element_cursor.hpp"

#include <limits>

namespace partyline::detail {

element_cursor::element_cursor(json_view container) noexcept
    : at_(container.text().data() + 1), is_object_(container.text().front() == '{')
{
    scan_.start(container.text());
}

bool element_cursor::next()
{
    at_ = scanner::skip_space(at_);
    if (*at_ == ',')
        at_ = scanner::skip_space(at_ + 1);
    if (*at_ == ']' || *at_ == '}')
        return false;
    if (is_object_)
        at_ = scan_.read_name(at_, name_, decoded_);
    const char* const begin = at_;
    at_ = scan_.skip_value(at_, std::numeric_limits<std::size_t>::max());
    value_ = json_view::checked({begin, static_cast<std::size_t>(at_ - begin)});
    return true;
}

} // namespace partyline::detail
