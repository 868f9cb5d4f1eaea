#pragma once

#include <string>
#include <string_view>

namespace partyline::test {

/// Where the packages of `packages.sh` and the servers of this folder are.
inline std::string package(std::string_view path)
{
    return PARTYLINE_INTEROP_PACKAGES "/node_modules/" + std::string(path);
}
inline std::string program_here(std::string_view name)
{
    return PARTYLINE_INTEROP_SOURCES "/" + std::string(name);
}

} // namespace partyline::test
