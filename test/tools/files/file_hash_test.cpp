#include "tools/folders.hpp"

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <tools/files/file_hash.hpp>

using tools::file_hash;
using tools::file_reader;
using tools::test::folders;

namespace {

struct fixture : folders {
    file_hash hash(std::string_view content, tools::stop_check is_stopped = {}) const
    {
        file_reader reader = reader_of(content, std::move(is_stopped));
        return hash_file(reader);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(file_hashes, fixture)

// FIPS 180-4's examples, and what sha256sum says of the last.
BOOST_AUTO_TEST_CASE(known_content_has_its_known_hash)
{
    const std::pair<std::string, const char*> rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (const auto& [content, expected] : rows) {
        const file_hash got = hash(content);
        BOOST_TEST(got.sha256 == expected);
        BOOST_TEST(got.bytes == content.size());
    }
}

BOOST_AUTO_TEST_CASE(it_stops_when_it_is_told_to)
{
    int asked = 0;
    BOOST_CHECK_THROW(hash(std::string(10'000'000, 'a'), [&] { return ++asked > 3; }), boost::system::system_error);
    BOOST_TEST(asked == 4);
}

BOOST_AUTO_TEST_SUITE_END()
