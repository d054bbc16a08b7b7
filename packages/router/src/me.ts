import { GetMe, Me, getMe } from "@purser/organizations/me";
import { userProcedure } from "./trpc.ts";

export const me = {
  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/me" },
      summary: "Returns the caller and their memberships.",
      access: "user",
      returns: "The caller, and the organizations that they are a member of.",
      errors: ["FORBIDDEN"],
    })
    .input(GetMe.prefault({}))
    .output(Me)
    .query(({ ctx }) => getMe(ctx)),
};
