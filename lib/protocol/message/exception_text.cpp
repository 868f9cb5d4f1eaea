#include <partyline/protocol/exception_text.hpp>

namespace partyline {

// `what()` of a system_error is "details: message [category:value at file:line in function 'name']", of which all behind
// the details is that of its code.

std::string exception_text(const std::exception& thrown)
{
    std::string text = thrown.what();
    const auto* const failed = dynamic_cast<const boost::system::system_error*>(&thrown);
    const std::string of_code = failed ? failed->code().what() : std::string();
    if (of_code.empty() || !text.ends_with(of_code))
        return text;
    text.resize(text.size() - of_code.size());
    return text + failed->code().message();
}

std::string exception_details(const boost::system::system_error& thrown)
{
    std::string text = thrown.what();
    const std::string of_code = thrown.code().what();
    if (!text.ends_with(of_code)) // a class of its own
        return text;
    text.resize(text.size() - of_code.size());
    if (text.ends_with(": "))
        text.resize(text.size() - 2);
    return text;
}

} // namespace partyline
