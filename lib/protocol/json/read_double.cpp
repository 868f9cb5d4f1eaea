#include "protocol/json/read_double.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

namespace partyline {

const char* read_double_by_strtod(const char* p, const char* end, double& number)
{
    static const ::locale_t has_points = ::newlocale(LC_ALL_MASK, "C", nullptr);
    end = std::find_if(p, end,
                       [](char c) { return std::string_view("+-.0123456789Ee").find(c) == std::string_view::npos; });
    const std::string terminated(p, end);
    errno = 0;
    char* stop = nullptr;
    const double value = ::strtod_l(terminated.c_str(), &stop, has_points);
    const std::ptrdiff_t read = stop - terminated.c_str();
    if (read == 0 || terminated.front() == '+')
        return nullptr;
    if (errno == ERANGE && (value == 0 || std::isinf(value))) // other numbers close to zero are read all the same
        return nullptr;
    number = value;
    return p + read;
}

} // namespace partyline
