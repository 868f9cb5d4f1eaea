// A user's program against the installed library.
#include <partyline/config.hpp>
#include <partyline/partyline.hpp>

#include <string>

int main()
{
    partyline::method_table methods;
    methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
    const std::string version = std::to_string(PARTYLINE_VERSION / 10000) + '.' +
                                std::to_string(PARTYLINE_VERSION / 100 % 100) + '.' +
                                std::to_string(PARTYLINE_VERSION % 100);
    return methods.names().size() == 1 && version == PARTYLINE_VERSION_STRING ? 0 : 1;
}
