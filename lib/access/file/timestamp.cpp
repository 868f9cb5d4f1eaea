#include "access/file/timestamp.hpp"

#include <algorithm>

namespace partyline::access {
namespace {

using std::chrono::system_clock;

/// Takes the parts of a text off its front. What is not there leaves it failed.
class cursor {
public:
    explicit cursor(std::string_view text) noexcept : text_(text) {}

    bool is_at_end() const noexcept { return is_good_ && text_.empty(); }
    void fail() noexcept { is_good_ = false; }

    int number(std::size_t digits, int least, int most) noexcept
    {
        int found = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            const char c = i < text_.size() ? text_[i] : ' ';
            if (c < '0' || c > '9') {
                is_good_ = false;
                return 0;
            }
            found = found * 10 + (c - '0');
        }
        text_.remove_prefix(digits);
        is_good_ = is_good_ && found >= least && found <= most;
        return found;
    }

    bool take_any_of(std::string_view characters, char* taken = nullptr) noexcept
    {
        if (text_.empty() || characters.find(text_.front()) == std::string_view::npos)
            return false;
        if (taken)
            *taken = text_.front();
        text_.remove_prefix(1);
        return true;
    }

    void expect(std::string_view characters) noexcept { is_good_ = take_any_of(characters) && is_good_; }

    void skip_fraction() noexcept
    {
        if (!take_any_of("."))
            return;
        number(1, 0, 9);
        while (take_any_of("0123456789")) {
        }
    }

private:
    std::string_view text_;
    bool is_good_ = true;
};

std::chrono::minutes read_offset(cursor& from) noexcept
{
    char sign = 0;
    if (from.take_any_of("Zz"))
        return {};
    if (!from.take_any_of("+-", &sign))
        from.fail();
    const std::chrono::hours hours(from.number(2, 0, 23));
    from.expect(":");
    const std::chrono::minutes offset = hours + std::chrono::minutes(from.number(2, 0, 59));
    return sign == '-' ? -offset : offset;
}

} // namespace

std::optional<system_clock::time_point> read_timestamp(std::string_view text) noexcept
{
    cursor from(text);
    const std::chrono::year year(from.number(4, 1, 9999));
    from.expect("-");
    const std::chrono::month month(static_cast<unsigned>(from.number(2, 1, 12)));
    from.expect("-");
    const std::chrono::day day(static_cast<unsigned>(from.number(2, 1, 31)));
    from.expect("Tt ");
    std::chrono::seconds time = std::chrono::hours(from.number(2, 0, 23));
    from.expect(":");
    time += std::chrono::minutes(from.number(2, 0, 59));
    from.expect(":");
    time += std::chrono::seconds(from.number(2, 0, 60)); // 60: a leap second
    from.skip_fraction();
    time -= read_offset(from);
    const std::chrono::year_month_day date(year, month, day);
    if (!from.is_at_end() || !date.ok())
        return std::nullopt;
    const std::chrono::sys_seconds found = std::chrono::sys_days(date) + time;
    const auto first = std::chrono::ceil<std::chrono::seconds>(system_clock::time_point::min());
    const auto last = std::chrono::floor<std::chrono::seconds>(system_clock::time_point::max());
    return system_clock::time_point(std::clamp(found, first, last));
}

} // namespace partyline::access
