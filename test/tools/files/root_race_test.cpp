#include "tools/folders.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <stdio.h>
#include <tools/files/file_walk.hpp>
#include <tools/tool_error.hpp>
#include <unistd.h>

using partyline::test::checked;
using partyline::test::write_file;
using tools::file_walk;
using tools::opened_file;
using tools::path_lookup;
using tools::root_folder;
using tools::tool_error;
using tools::test::content_of;
using tools::test::folders;

namespace {

// Exchanges two names over and over, in one step each time.
class swapping_thread {
public:
    swapping_thread(std::filesystem::path one, std::filesystem::path other)
        : one_(std::move(one)), other_(std::move(other)), running_([this] { run(); })
    {
    }
    swapping_thread(const swapping_thread&) = delete;
    swapping_thread& operator=(const swapping_thread&) = delete;
    ~swapping_thread()
    {
        stop_ = true;
        running_.join();
    }

    int rounds() const { return rounds_; }

private:
    void run()
    {
        while (!stop_) {
            ::renameat2(AT_FDCWD, one_.c_str(), AT_FDCWD, other_.c_str(), RENAME_EXCHANGE);
            ++rounds_;
        }
    }

    std::filesystem::path one_;
    std::filesystem::path other_;
    std::atomic<bool> stop_ = false;
    std::atomic<int> rounds_ = 0;
    std::thread running_;
};

// "victim" is a folder with a file, "trap" a link out to a folder with a file of the same name.
struct fixture : folders {
    fixture()
    {
        write("victim/file.txt", "within\n");
        write_file(outside / "file.txt", "secret\n");
        link("../outside", "trap");
    }

    // Until both have been seen often, a file that was opened and a refusal. Never anything but what is within.
    void expect_only_within(const std::function<std::optional<std::string>()>& try_read)
    {
        const swapping_thread swaps(root / "victim", root / "trap");
        int opened = 0;
        int refused = 0;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while ((opened < 300 || refused < 300) && std::chrono::steady_clock::now() < deadline) {
            const std::optional<std::string> content = try_read();
            ++(content ? opened : refused);
            if (!content || *content == "within\n")
                continue;
            BOOST_ERROR("read '" + *content + "' in round " + std::to_string(swaps.rounds()));
            return;
        }
        BOOST_TEST(opened > 0);
        BOOST_TEST(refused > 0);
    }

    std::optional<std::string> try_open(const root_folder& all, const std::string& path) const
    {
        try {
            return content_of(all.open_file(path));
        } catch (const tool_error&) {
            return std::nullopt;
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(root_races, fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_folder_that_becomes_a_link_out_is_never_followed_by_the_kernel)
{
    const root_folder all(root);
    expect_only_within([&] { return try_open(all, "victim/file.txt"); });
}

BOOST_AUTO_TEST_CASE(nor_one_name_after_another)
{
    const root_folder all(root, path_lookup::by_component);
    expect_only_within([&] { return try_open(all, "victim/file.txt"); });
}

BOOST_AUTO_TEST_CASE(nor_where_dots_lead_back)
{
    const root_folder all(root);
    write_file(root / "victim/../file.txt", "within\n");
    expect_only_within([&] { return try_open(all, "victim/../file.txt"); });
}

BOOST_AUTO_TEST_CASE(a_file_that_becomes_a_link_out_is_never_followed)
{
    std::filesystem::remove(root / "trap");
    link("../outside/secret.txt", "trap");
    std::filesystem::remove_all(root / "victim");
    write("victim", "within\n");
    const root_folder all(root);
    expect_only_within([&] { return try_open(all, "victim"); });
}

BOOST_AUTO_TEST_CASE(a_walk_never_follows_one)
{
    const root_folder all(root);
    expect_only_within([&] {
        file_walk walk(all, "");
        std::optional<std::string> found;
        while (const std::optional<std::string> path = walk.next()) {
            if (!path->ends_with("file.txt"))
                continue;
            if (std::optional<opened_file> opened = walk.open())
                found = content_of(std::move(*opened));
        }
        return found;
    });
}

BOOST_AUTO_TEST_SUITE_END()
