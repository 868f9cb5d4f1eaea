// Loads plugins, each with a partyline of its own, and has one in this program besides: plugin_host PLUGIN ...
#include <partyline/partyline.hpp>

#include <cstdio>

#include <dlfcn.h>

int main(int argc, char** argv)
{
    partyline::method_table methods;
    methods.add("none", [] {});
    for (int round = 0; round < 2; ++round) {
        for (int i = 1; i < argc; ++i) {
            void* const plugin = ::dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
            if (!plugin) {
                std::fprintf(stderr, "%s\n", ::dlerror());
                return 1;
            }
            const auto sum = reinterpret_cast<int (*)(int, int)>(::dlsym(plugin, "sum_by_session"));
            if (!sum || sum(2, 40) != 42) {
                std::fprintf(stderr, "%s does not add\n", argv[i]);
                return 1;
            }
        }
    }
    return argc > 1 && methods.names().size() == 1 ? 0 : 1;
}
