import { audit } from "./organizations/audit/router.ts";
import { invitations } from "./organizations/invitations/router.ts";
import { members } from "./organizations/members/router.ts";
import { organizations } from "./organizations/router.ts";
import { settings } from "./organizations/settings/router.ts";
import { subscription } from "./organizations/subscription/router.ts";
import { createCallerFactory, router } from "./trpc.ts";

/** Every procedure there is. A name here is its address everywhere: tRPC, client, folder, REST tag, test. */
export const appRouter = router({
  organizations: { ...organizations, members, invitations, subscription, settings, audit },
});

export type AppRouter = typeof appRouter;

/** The way in without a transport: `createCaller(context).organizations.create({ name })`. */
export const createCaller = createCallerFactory(appRouter);
