#define BOOST_TEST_MODULE call
#include <boost/test/unit_test.hpp>
