import { growth } from "./growth.ts";
import { processes } from "./processes.ts";
import { replica } from "./replica.ts";

/** What happens when there is more of everything. */
export const scaling = { processes, replica, growth };
