// What types are made of, also those that contain each other.
#include <partyline/rpc/detail/parts_of.hpp>

#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace {

struct leaf {
    int n = 0;
};
BOOST_DESCRIBE_STRUCT(leaf, (), (n))

struct shared {
    leaf a;
    std::vector<leaf> b;
};
BOOST_DESCRIBE_STRUCT(shared, (), (a, b))

struct node {
    std::vector<std::optional<node>> children;
    std::string name;
};
BOOST_DESCRIBE_STRUCT(node, (), (children, name))

struct holder {
    std::map<std::string, node> nodes;
};
BOOST_DESCRIBE_STRUCT(holder, (), (nodes))

// Ten types that contain each other: what looks at every way through them does not come to an end.
template <int Number>
struct all_of_ten {};
using ten = std::tuple<std::vector<all_of_ten<0>>, std::vector<all_of_ten<1>>, std::vector<all_of_ten<2>>,
                       std::vector<all_of_ten<3>>, std::vector<all_of_ten<4>>, std::vector<all_of_ten<5>>,
                       std::vector<all_of_ten<6>>, std::vector<all_of_ten<7>>, std::vector<all_of_ten<8>>,
                       std::vector<all_of_ten<9>>>;

} // namespace

namespace partyline::detail {
template <int Number>
struct parts_of<all_of_ten<Number>> {
    using type = boost::mp11::mp_rename<ten, boost::mp11::mp_list>;
};
} // namespace partyline::detail

namespace {

using namespace partyline::detail;

template <class T>
struct is_no_string : std::bool_constant<!std::is_same_v<T, std::string>> {};
template <class T>
struct is_no_double : std::bool_constant<!std::is_same_v<T, double>> {};

} // namespace

BOOST_AUTO_TEST_SUITE(parts_of_)

BOOST_AUTO_TEST_CASE(each_part_is_listed_once)
{
    BOOST_TEST((std::is_same_v<all_parts_of<shared>, boost::mp11::mp_list<shared, leaf, int, std::vector<leaf>>>));
    BOOST_TEST((std::is_same_v<all_parts_of<int>, boost::mp11::mp_list<int>>));
    BOOST_TEST(boost::mp11::mp_size<all_parts_of<ten>>::value == 21u);
}

BOOST_AUTO_TEST_CASE(what_holds_throughout_holds_for_the_deepest_part)
{
    BOOST_TEST((is_throughout<is_no_string, shared>()));
    BOOST_TEST((!is_throughout<is_no_string, holder>()));
    BOOST_TEST((is_throughout<is_no_double, holder>()));
    BOOST_TEST((!is_throughout<is_no_double, std::variant<int, std::optional<std::vector<double>>>>()));
    BOOST_TEST((is_throughout<is_no_double, ten>()));
}

BOOST_AUTO_TEST_CASE(a_type_is_recursive_when_it_or_a_part_contains_itself)
{
    BOOST_TEST(!is_recursive<int>());
    BOOST_TEST(!is_recursive<shared>()); // twice the same part
    BOOST_TEST(is_recursive<node>());
    BOOST_TEST(is_recursive<holder>());
    BOOST_TEST(is_recursive<ten>());
}

BOOST_AUTO_TEST_SUITE_END()
