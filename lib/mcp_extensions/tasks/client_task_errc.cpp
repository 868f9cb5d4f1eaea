#include <partyline/mcp_extensions/client_tasks.hpp>

#include <string>

namespace partyline::mcp {
namespace {

class client_task_error_category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline.mcp.client_task"; }

    std::string message(int code) const override
    {
        switch (static_cast<client_task_errc>(code)) {
        case client_task_errc::cancelled: return "the server has cancelled the task";
        }
        return "unknown error " + std::to_string(code);
    }
};

} // namespace

const boost::system::error_category& client_task_category() noexcept
{
    static const client_task_error_category instance;
    return instance;
}

} // namespace partyline::mcp
