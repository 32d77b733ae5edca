/* What the parts of this board are given, by the types of its title. */

import type { BoardProps as Props } from "..";
import type { Game } from "../../generated/stop-the-train";
import type * as table from "../../lib/sight";

export type { Action, Game } from "../../generated/stop-the-train";

export type BoardProps = Props<Game>;
export type Sight = table.Sight<Game>;
export type Acting = table.Acting<Game>;
export type Choice = table.Choice<Game>;
export type Happened = table.Happened<Game>;
