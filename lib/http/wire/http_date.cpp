#include "http/wire/http_date.hpp"

#include "http/wire/characters.hpp"

#include <algorithm>
#include <iterator>

namespace partyline::http {
namespace {

using namespace std::chrono;

constexpr std::string_view months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct date_parts {
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
};

// Reads a text by a pattern: D (two digits of a day), d (or a blank and one), M (three letters of a month), Y (four
// digits), y (two), h, m, s stand for the parts of a date, ? for the name of a day, anything else for itself.
class pattern_reader {
public:
    explicit pattern_reader(std::string_view text) : rest_(text) {}

    bool read(std::string_view pattern)
    {
        return std::all_of(pattern.begin(), pattern.end(), [this](char c) { return take(c); }) && rest_.empty();
    }
    const date_parts& parts() const noexcept { return parts_; }

private:
    bool take(char as)
    {
        switch (as) {
        case 'D': return take_number(2, parts_.day);
        case 'd': return rest_.starts_with(' ') ? take(' ') && take_number(1, parts_.day) : take_number(2, parts_.day);
        case 'M': return take_month();
        case 'Y': return take_number(4, parts_.year);
        case 'y': return take_number(2, parts_.year);
        case 'h': return take_number(2, parts_.hour);
        case 'm': return take_number(2, parts_.minute);
        case 's': return take_number(2, parts_.second);
        case '?': return take_letters();
        default: break;
        }
        if (!rest_.starts_with(as))
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    bool take_number(std::size_t digits, int& to)
    {
        const std::string_view number = rest_.substr(0, digits);
        if (number.size() != digits || !std::all_of(number.begin(), number.end(), is_digit))
            return false;
        to = 0;
        for (const char c : number)
            to = to * 10 + (c - '0');
        rest_.remove_prefix(digits);
        return true;
    }

    bool take_month()
    {
        const auto found = std::find(std::begin(months), std::end(months), rest_.substr(0, 3));
        if (found == std::end(months))
            return false;
        parts_.month = static_cast<int>(found - std::begin(months)) + 1;
        rest_.remove_prefix(3);
        return true;
    }

    // The name of a day, which says nothing that the date does not.
    bool take_letters()
    {
        const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_letter);
        const auto count = static_cast<std::size_t>(end - rest_.begin());
        rest_.remove_prefix(count);
        return count >= 3;
    }

    std::string_view rest_;
    date_parts parts_;
};

std::optional<sys_seconds> moment_of(const date_parts& at)
{
    const year_month_day date{year(at.year), month(static_cast<unsigned>(at.month)),
                              day(static_cast<unsigned>(at.day))};
    if (!date.ok() || at.hour > 23 || at.minute > 59 || at.second > 60) // which is a leap second
        return std::nullopt;
    return sys_days(date) + hours(at.hour) + minutes(at.minute) + seconds(at.second);
}

// More than fifty years ahead is the century before.
int full_year(int two_digits, sys_seconds today)
{
    const int now = static_cast<int>(year_month_day(floor<days>(today)).year());
    const int same_century = now / 100 * 100 + two_digits;
    return same_century > now + 50 ? same_century - 100 : same_century;
}

} // namespace

std::optional<sys_seconds> read_http_date(std::string_view text, sys_seconds today)
{
    constexpr std::string_view zone = " GMT";
    if (!text.ends_with(zone)) {
        pattern_reader of_c(text);
        return of_c.read("? M d h:m:s Y") ? moment_of(of_c.parts()) : std::nullopt;
    }
    text.remove_suffix(zone.size());
    pattern_reader usual(text);
    if (usual.read("?, D M Y h:m:s"))
        return moment_of(usual.parts());
    pattern_reader old(text);
    if (!old.read("?, D-M-y h:m:s"))
        return std::nullopt;
    date_parts parts = old.parts();
    parts.year = full_year(parts.year, today);
    return moment_of(parts);
}

} // namespace partyline::http
