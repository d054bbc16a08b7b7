import { firstSync } from "./first-sync.ts";
import { history } from "./history.ts";
import { lists } from "./lists.ts";

/** What banking is meant to do fast. */
export const banking = { "first-sync": firstSync, history, lists };
