"""What a title's Game and its bots are generic in: its state, its view and its options."""

from typing import TYPE_CHECKING, Any

from capolinea.engine.options import Options
from capolinea.engine.state import State
from capolinea.engine.views import View

if TYPE_CHECKING:
    # With a default, so that who handles any title need not write them down. Python has that from 3.13 on.
    from typing_extensions import TypeVar

    ItsState = TypeVar("ItsState", bound=State, default=Any)
    ItsView = TypeVar("ItsView", bound=View, default=Any)
    ItsOptions = TypeVar("ItsOptions", bound=Options, default=Any)
else:
    from typing import TypeVar

    ItsState, ItsView, ItsOptions = TypeVar("ItsState"), TypeVar("ItsView"), TypeVar("ItsOptions")
