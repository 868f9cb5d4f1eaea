// What every row of mistakes.cpp begins with.
#include <partyline/partyline.hpp>
#include <partyline/rpc/json_schema.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/describe.hpp>
#include <boost/system/result.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline;
using boost::asio::awaitable;

inline method_table table;
