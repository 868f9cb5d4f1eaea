#define BOOST_TEST_MODULE child
#include <boost/test/unit_test.hpp>
