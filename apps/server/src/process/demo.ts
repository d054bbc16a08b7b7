import { type OpenPlatform, demoPeople, seedDemo } from "@purser/router";

/** Seeds an empty database where that is wanted; says whether the demo people can sign in. */
export async function ensureDemo({
  platform,
  auth,
}: Pick<OpenPlatform, "platform" | "auth">): Promise<boolean> {
  if (!platform.settings.seedDemo) return false;
  if (await seedDemo(platform, auth)) return true;
  const { email } = demoPeople[0];
  const owner = await platform.db.query.users.findFirst({ where: (users, { eq }) => eq(users.email, email) });
  return owner !== undefined;
}
