#include "command_line/program_version.hpp"

#include <partyline/config.hpp>

#include <openssl/crypto.h>

namespace command_line {
namespace {

std::string boost_version()
{
    constexpr int major = BOOST_VERSION / 100000;
    constexpr int minor = BOOST_VERSION / 100 % 1000;
    constexpr int patch = BOOST_VERSION % 100;
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

} // namespace

std::string version_line(std::string_view program)
{
    return std::string(program) + " " PARTYLINE_VERSION_STRING " (Boost " + boost_version() + ", OpenSSL " +
           OpenSSL_version(OPENSSL_VERSION_STRING) + ")\n";
}

} // namespace command_line
