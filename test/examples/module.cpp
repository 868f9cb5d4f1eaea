#define BOOST_TEST_MODULE examples
#include <boost/test/unit_test.hpp>
