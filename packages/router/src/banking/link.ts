import { BankLink, CreateLink, checkProvider, createLink } from "@purser/banking/link";
import { naming, theConnection } from "../resource.ts";
import { checkInput, checkRedirect, inOrganization, userProcedure } from "../trpc.ts";

export const link = {
  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/link" },
      summary:
        "Creates a link to a page at the provider where a person gives or renews a consent for this team. The page redirects to `redirectUrl` with `teamId`, `provider`, `providerId` and `consentId`, the input of `connect`, or with `error`: `access_denied`, `server_error`, or `authorization_pending` where the bank has yet to confirm the consent, such as after another owner of the account agrees; the service then connects it.",
      access: "owner",
      returns: "The address of the page, and until when it can be opened.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
        "CONNECTION_NOT_FOUND",
        "INSTITUTION_NOT_FOUND",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
        "PROVIDER_ERROR",
      ],
    })
    .input(CreateLink)
    .output(BankLink)
    .use(checkRedirect)
    .use(checkInput(checkProvider))
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => createLink(ctx, input)),
};
