"""Names that mypyc knows; plain Python needs a stand-in. Never compiled."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    i64 = int

    def mypyc_attr(**_options: Any) -> Any:
        return lambda cls: cls
