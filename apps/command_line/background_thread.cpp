#include "command_line/background_thread.hpp"

#include <forward_list>

namespace asio = boost::asio;

namespace command_line {
namespace {

asio::thread_pool& make_pool()
{
    static std::forward_list<asio::thread_pool>& all = *new std::forward_list<asio::thread_pool>;
    return all.emplace_front(1);
}

} // namespace

background_thread::background_thread() : pool_(make_pool()) {}

background_thread::~background_thread()
{
    pool_.stop();
    pool_.join();
}

} // namespace command_line
