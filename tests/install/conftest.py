"""A real browser, as for the other tests that open pages."""

from tests.browser.conftest import browser as browser
from tests.browser.conftest import person as person
