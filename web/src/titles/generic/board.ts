/* A plain board for any title: what can be seen as text, what can be done as buttons. */

import type { Board } from "..";
import Hand from "./Hand.svelte";
import Place from "./Place.svelte";
import Table from "./Table.svelte";

const board: Board = { Table, Hand, Place, end: () => import("./end"), drawers: [] };
export default board;
