#include "protocol/json/read_double.hpp"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <string>

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

namespace partyline {

bool read_double_by_strtod(std::string_view text, double& number)
{
    static const ::locale_t has_points = ::newlocale(LC_ALL_MASK, "C", nullptr);
    const std::string terminated(text);
    errno = 0;
    const double value = ::strtod_l(terminated.c_str(), nullptr, has_points);
    if (errno == ERANGE && (value == 0 || std::isinf(value))) // other numbers close to zero are read all the same
        return false;
    number = value;
    return true;
}

} // namespace partyline
