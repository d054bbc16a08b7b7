import type { Role } from "../world.ts";
import { mutate } from "./mutate.ts";

/** Creates organizations, sometimes without waiting for the response, and renames the first one. */
export const founding: Role = (world, tenant, chance) => async () => {
  const { client, ledger } = world;
  const { token } = tenant.owner;
  if (chance.happens(0.3)) {
    const name = ledger.nameFor(tenant, "renamed");
    const path = `/api/organizations/${tenant.organizationId}`;
    await mutate(world, { method: "PATCH", path, token, body: { name } });
    tenant.organizationName = name;
    ledger.acted(tenant.organizationId, "organizations.update");
    return;
  }
  const name = ledger.nameFor(tenant, "organization");
  const ask = { method: "POST", path: "/api/organizations", token, body: { name } } as const;
  if (chance.happens(0.2)) {
    tenant.organizations.set(name, "perhaps");
    const answer = await client.askOnce({ ...ask, key: name });
    if (answer?.status !== 201) return;
    tenant.organizations.set(name, "there");
    ledger.acted((answer.body as { id: string }).id, "organizations.create");
    return;
  }
  const { id } = await mutate<{ id: string }>(world, ask);
  tenant.organizations.set(name, "there");
  ledger.acted(id, "organizations.create");
};
