import type { components } from "./api.generated.ts";

/** What Yapily's API takes and gives, as far as `api.json` describes it. */
export type Schemas = components["schemas"];
