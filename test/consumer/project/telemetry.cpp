// A user's program that shows metrics against the installed library.
#include <partyline/telemetry.hpp>

#include <string>

int main()
{
    partyline::telemetry::metrics metrics({"echo"});
    return metrics.text().find("partyline_requests_in_flight 0") == std::string::npos ? 1 : 0;
}
