#include "access/file/access_file.hpp"
#include "access/file/place.hpp"
#include "access/file/trusted_file.hpp"
#include "support/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace partyline::access;

namespace {

struct files {
    std::string path(std::string_view name = "access.json") const { return (folder / name).string(); }

    std::string write(std::string_view text, ::mode_t mode = 0600) const
    {
        std::ofstream(path(), std::ios::binary) << text;
        BOOST_TEST_REQUIRE(::chmod(path().c_str(), mode) == 0);
        return path();
    }

    static std::string error_of(const std::string& path, std::size_t max_bytes = 100)
    {
        try {
            read_trusted_file(path, max_bytes);
        } catch (const file_error& failed) {
            return failed.what();
        }
        return "none";
    }

    partyline::test::scratch_directory folder;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(trusted_file_suite, files)

BOOST_AUTO_TEST_CASE(a_file_that_only_its_owner_writes_to_is_read)
{
    for (const ::mode_t mode : {0600u, 0400u, 0644u, 0444u})
        BOOST_TEST(read_trusted_file(write("{}", mode), 100).text == "{}");
}

// rule: security.access.file
BOOST_AUTO_TEST_CASE(a_file_that_others_write_to_is_refused)
{
    for (const ::mode_t mode : {0620u, 0602u, 0666u})
        BOOST_TEST(error_of(write("{}", mode)) == "others can write to it: chmod go-w");
}

BOOST_AUTO_TEST_CASE(the_file_is_named_before_the_reason)
{
    const std::string file = write("{}", 0666);
    BOOST_CHECK_EXCEPTION(read_access_file(file), std::runtime_error, [&](const std::runtime_error& failed) {
        return failed.what() == file + ": others can write to it: chmod go-w";
    });
    write(R"({"rules": [{"tools": [1]}]})");
    BOOST_CHECK_EXCEPTION(read_access_file(file), std::runtime_error, [&](const std::runtime_error& failed) {
        return failed.what() == file + ": rules[0].tools[0]: a string is expected";
    });
}

BOOST_AUTO_TEST_CASE(links_are_not_followed)
{
    std::filesystem::create_symlink(write("{}"), path("link"));
    BOOST_TEST(error_of(path("link")) == "it is a symbolic link, and links are not followed");
    std::filesystem::create_symlink("nowhere", path("dangling"));
    BOOST_TEST(error_of(path("dangling")) == "it is a symbolic link, and links are not followed");
}

BOOST_AUTO_TEST_CASE(what_is_no_regular_file_is_refused_without_waiting)
{
    BOOST_TEST_REQUIRE(::mkfifo(path("fifo").c_str(), 0600) == 0);
    BOOST_TEST(error_of(path("fifo")) == "it is no regular file");
    BOOST_TEST(error_of(path(".")) == "it is no regular file");
    BOOST_TEST(error_of("/dev/zero") == "it is no regular file");
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_told_in_the_words_of_the_system)
{
    BOOST_TEST(error_of(path("none")) == "No such file or directory");
    BOOST_TEST(error_of(path("none/none")) == "No such file or directory");
}

BOOST_AUTO_TEST_CASE(a_file_is_read_up_to_its_bound)
{
    BOOST_TEST(read_trusted_file(write(std::string(100, 'a')), 100).text.size() == 100u);
    BOOST_TEST(error_of(write(std::string(101, 'a'))) == "it has more than 100 bytes");
    BOOST_TEST(read_trusted_file(write(std::string(10'000, 'a')), 10'000).text.size() == 10'000u);
    std::filesystem::resize_file(path(), std::uintmax_t(1) << 30); // which has no blocks
    BOOST_TEST(error_of(path(), max_file_bytes) == "it has more than 1048576 bytes");
}

// Without the rights of root nobody can give a file away, so this is only seen where tests run as root.
BOOST_AUTO_TEST_CASE(a_file_of_another_user_is_refused)
{
    write("{}");
    if (::chown(path().c_str(), 12'345, static_cast<::gid_t>(-1)) != 0) {
        BOOST_TEST_MESSAGE("skipped: only root can give a file away");
        return;
    }
    BOOST_TEST(error_of(path()) ==
               "it belongs to user 12345: chown it to root or to user " + std::to_string(::geteuid()));
}

BOOST_AUTO_TEST_SUITE_END()
