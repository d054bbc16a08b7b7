import {
  CardholderState,
  GetCardholder,
  UpdateCardholder,
  checkDateOfBirth,
  getCardholder,
  updateCardholder,
} from "@purser/cards/cardholder";
import { checkInput, inOrganization, userProcedure } from "../trpc.ts";

export const cardholder = {
  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/cards/cardholder" },
      summary:
        "Returns which of the caller's details as a cardholder are on record, and which a card issuer of this service requires.",
      access: "memberUser",
      returns: "Which details are on record and which are missing, and none of the details.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(GetCardholder)
    .output(CardholderState)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => getCardholder(ctx, input)),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/cards/cardholder" },
      summary:
        "Updates the caller's own details as a cardholder: sealed, sent to card issuers that require them, never returned. Absent fields are unchanged; null erases a field.",
      access: "memberUser",
      returns: "Which details are on record and which are missing, and none of the details.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(UpdateCardholder)
    .output(CardholderState)
    .use(checkInput(checkDateOfBirth))
    .use(inOrganization("member"))
    .mutation(({ ctx, input }) => updateCardholder(ctx, input)),
};
