// A user's program against the installed library.
#include <partyline/partyline.hpp>

int main()
{
    partyline::method_table methods;
    methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
    return methods.names().size() == 1 ? 0 : 1;
}
