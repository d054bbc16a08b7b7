import type { Workload } from "../load-context.ts";
import { mutate } from "./mutate.ts";

/** Creates organizations, sometimes without waiting for the response, and renames the first one. */
export const organizationWorkload: Workload = (context, tenant, random) => async () => {
  const { client, state } = context;
  const { token } = tenant.owner;
  if (random.happens(0.3)) {
    const name = state.uniqueName(tenant, "renamed");
    const path = `/api/organizations/${tenant.organizationId}`;
    await mutate(context, { method: "PATCH", path, token, body: { name } });
    tenant.organizationName = name;
    state.recordAction(tenant.organizationId, "organizations.update");
    return;
  }
  const name = state.uniqueName(tenant, "organization");
  const request = { method: "POST", path: "/api/organizations", token, body: { name } } as const;
  if (random.happens(0.2)) {
    tenant.organizations.set(name, "uncertain");
    const response = await client.sendOnce({ ...request, key: name });
    if (response?.status !== 201) return;
    tenant.organizations.set(name, "created");
    state.recordAction((response.body as { id: string }).id, "organizations.create");
    return;
  }
  const { id } = await mutate<{ id: string }>(context, request);
  tenant.organizations.set(name, "created");
  state.recordAction(id, "organizations.create");
};
