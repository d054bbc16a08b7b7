import type { components } from "./api.generated.ts";

/** The objects of Yapily's API, as described in `api.json`. Yapily promises few fields, so almost all are optional. */
export type Schemas = components["schemas"];
