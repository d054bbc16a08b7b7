import { PurserError, createPurserClient, paginate } from "@purser/client";

const [baseUrl, token, userId] = process.argv.slice(2);
const client = createPurserClient({ baseUrl, token });
const { id } = await client.organizations.create({ name: `Node ${process.version}` });
await client.organizations.invitations.create({
  organizationId: id,
  email: "guest@example.com",
  role: "MEMBER",
});
const [invitation] = await client.organizations.invitations.list({ organizationId: id });
const names = [];
for await (const { name } of paginate(client.organizations.list, { userId }, { limit: 1 })) names.push(name);
const error = await client.organizations.get({ id: "org" }).catch((reason) => reason);
console.log(
  JSON.stringify({
    names,
    days: invitation.expiresAt.getTime(),
    known: error instanceof PurserError,
    code: error.code,
  }),
);
