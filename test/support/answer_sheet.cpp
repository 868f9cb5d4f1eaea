#include "answer_sheet.hpp"

#include "read_text.hpp"

#include <stdexcept>
#include <string>

namespace partyline::test {

namespace {

// The id, and the code of the error or 0.
bool read_reply(std::string_view line, std::uint64_t& id, int& code)
{
    if (!skip(line, R"({"jsonrpc":"2.0","id":)") || !read_number(line, id) || !line.ends_with('}'))
        return false;
    code = 0;
    return skip(line, R"(,"result":)") || (skip(line, R"(,"error":{"code":)") && read_number(line, code));
}

} // namespace

void answer_sheet::note(std::string_view line)
{
    std::uint64_t id = 0;
    int code = 0;
    if (!read_reply(line, id, code))
        throw std::runtime_error("no reply to a number: " + std::string(line.substr(0, 200)));
    if (id >= answered_.size() || answered_[id])
        throw std::runtime_error("nobody waits for this: " + std::string(line.substr(0, 200)));
    answered_[id] = true;
    ++total_;
    ++by_code_[code];
}

std::size_t answer_sheet::errors(int code) const
{
    const auto found = by_code_.find(code);
    return found == by_code_.end() ? 0 : found->second;
}

} // namespace partyline::test
