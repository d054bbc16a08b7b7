import { accepting } from "./accepting.ts";
import { applying } from "./applying.ts";

/** What billing is meant to do fast. */
export const billing = { accepting, applying };
