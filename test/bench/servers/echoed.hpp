#pragma once

#include <boost/describe/class.hpp>

#include <string>

namespace bench {

/// What comes back as it is, through a method and through a tool.
struct echoed {
    std::string text;
};
BOOST_DESCRIBE_STRUCT(echoed, (), (text))

inline echoed echo_typed(echoed given)
{
    return given;
}

} // namespace bench
