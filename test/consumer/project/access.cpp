// A user's program that makes a token against the installed library.
#include <partyline/access.hpp>

int main()
{
    const partyline::access::new_token made = partyline::access::make_token();
    return made.token.size() == 43 && made.sha256.size() == 64 ? 0 : 1;
}
