import type { OrganizationHooks } from "@purser/organizations";
import { deleteEndpointsOf } from "./store.ts";

/** A deleted organization has no endpoints, and nothing is sent any more. */
export const webhookHooks: OrganizationHooks = { deleted: deleteEndpointsOf };
