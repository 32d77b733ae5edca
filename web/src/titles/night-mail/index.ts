/* Night Mail, the example: it is played on the plain board. */

import type { Title } from "..";

const title: Title = { id: "night-mail", rules: "NM" };
export default title;
