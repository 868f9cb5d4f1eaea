// Preloaded into a program, it makes the DNS of "stalled.example" one that never answers, and says so on stderr.

#include <string_view>

#include <dlfcn.h>
#include <netdb.h>
#include <unistd.h>

extern "C" [[gnu::visibility("default")]] int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                                                          addrinfo** found)
{
    if (name && std::string_view(name) == "stalled.example") {
        constexpr std::string_view said = "the resolver waits\n";
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, said.data(), said.size());
        for (;;)
            ::pause();
    }
    const auto real = reinterpret_cast<decltype(&::getaddrinfo)>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(name, service, hints, found);
}
