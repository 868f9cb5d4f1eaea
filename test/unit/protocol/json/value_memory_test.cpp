#include "protocol/json/value_memory.hpp"
#include "support/sanitized.hpp"

#include <partyline/protocol/json_text.hpp>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <malloc.h>

namespace json = boost::json;
using partyline::json_view;
using partyline::value_memory;

namespace {

thread_local json::value late; // goes with its thread, after the thread's free blocks or before: both must do

json::value read(std::string_view text)
{
    return json_view::checked(text).to_value();
}

} // namespace

BOOST_AUTO_TEST_SUITE(value_memory_suite)

BOOST_AUTO_TEST_CASE(blocks_serve_again)
{
    if (partyline::test::is_sanitized)
        return; // there, what is used after its end is to be noticed
    const json::storage_ptr memory = value_memory::for_text(10);
    using sizes = std::pair<std::size_t, std::size_t>;
    for (const auto& [one, other] :
         {sizes(40, 60), sizes(33, 64), sizes(481, 512), sizes(513, 1088), sizes(1089, 2112)}) {
        void* const first = memory->allocate(one, 8);
        memory->deallocate(first, one, 8);
        void* const second = memory->allocate(other, 8); // the same size of block
        BOOST_TEST(second == first);
        std::memset(second, 1, other);
        memory->deallocate(second, other, 8);
    }
}

BOOST_AUTO_TEST_CASE(no_block_serves_for_more_than_it_has)
{
    const json::storage_ptr memory = value_memory::for_text(10);
    for (std::size_t size = 1; size < 3000; ++size) {
        void* const block = memory->allocate(size, 8);
        BOOST_TEST_REQUIRE(malloc_usable_size(block) >= size);
        memory->deallocate(block, size, 8);
    }
}

BOOST_AUTO_TEST_CASE(a_long_text_gets_the_default_storage)
{
    BOOST_TEST((value_memory::for_text(1 << 20) == json::storage_ptr()));
}

BOOST_AUTO_TEST_CASE(a_value_may_be_kept_and_freed_by_another_thread)
{
    std::vector<json::value> kept;
    std::thread reader([&kept] {
        for (int i = 0; i < 1000; ++i) // more than a thread keeps free
            kept.push_back(read(R"({"text":"longer than fits into a string's own room","list":[1,[2],{"a":"b"}]})"));
    });
    reader.join();
    for (const json::value& v : kept)
        BOOST_TEST(json::serialize(v.at("list")) == R"([1,[2],{"a":"b"}])");
    std::thread freer([&kept] { kept.clear(); });
    freer.join();
    BOOST_TEST(kept.empty());
}

BOOST_AUTO_TEST_CASE(a_value_outlives_the_thread_that_made_it)
{
    std::thread([] { late = read(R"(["one","a string that is not short at all"])"); }).join();
    json::value kept;
    std::thread([&kept] {
        late = read(R"({"k":"a string that is not short at all"})");
        json::value moved = std::move(late);
        kept = std::move(moved);
    }).join();
    BOOST_TEST(json::serialize(kept) == R"({"k":"a string that is not short at all"})");
}

BOOST_AUTO_TEST_CASE(a_value_moves_into_containers_of_another_storage)
{
    json::object reply;
    reply["params"] = read(R"({"a":[1,2,3]})");
    BOOST_TEST(json::serialize(reply) == R"({"params":{"a":[1,2,3]}})");
}

BOOST_AUTO_TEST_SUITE_END()
