#pragma once

#include <string>
#include <vector>

namespace partyline::test {

class transport_fixture;

/// How two sides behave to each other, whatever lies between them.
struct behaviour_case {
    std::string name;
    void (*run)(transport_fixture&);
};

std::vector<behaviour_case> call_cases();
std::vector<behaviour_case> call_back_cases();
std::vector<behaviour_case> cancel_cases();
std::vector<behaviour_case> end_cases();

} // namespace partyline::test
