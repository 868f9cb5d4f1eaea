#include "gateway/end_of_thread.hpp"

#include <boost/asio/execution_context.hpp>

#include <utility>

namespace asio = boost::asio;

namespace gateway {
namespace {

class end_of_thread final : public asio::execution_context::service {
public:
    static asio::execution_context::id id; // NOLINT(readability-identifier-naming): Asio asks for it

    end_of_thread(asio::execution_context& of, std::shared_ptr<void> what) : service(of), what_(std::move(what)) {}

private:
    void shutdown() override { what_.reset(); }

    std::shared_ptr<void> what_;
};

asio::execution_context::id end_of_thread::id;

} // namespace

void keep_until_end(const asio::any_io_executor& of_thread, std::shared_ptr<void> what)
{
    asio::make_service<end_of_thread>(of_thread.context(), std::move(what));
}

} // namespace gateway
