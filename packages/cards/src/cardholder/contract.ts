import {
  Id,
  Name,
  cardholderDetailNames,
  explained,
  explainedValues,
  sharedFields,
  text,
} from "@purser/core";
import { z } from "zod";

const address = z.strictObject({
  line1: Name.meta(explained("The first line: street and number.", "1 Lime Street")),
  line2: Name.meta(explained("The second line, such as a floor.", "Floor 3")).optional(),
  city: Name.meta(explained("The city or town.", "London")),
  state: Name.meta(explained("The state or province. In the USA its code, such as NY.", "NY")).optional(),
  postalCode: text(20).trim().min(1).meta(explained("The postal code.", "EC3M 7AA")),
  country: text(2)
    .regex(/^[A-Z]{2}$/, { error: "Must be an upper-case ISO 3166-1 alpha-2 code" })
    .meta(explained("The country: ISO 3166-1 alpha-2, upper case.", "GB")),
});

/**
 * Details of the caller as a cardholder of an organization. An absent field stays as it is, and null erases it. They are
 * sealed in the database, sent to card issuers, and never returned.
 */
export const UpdateCardholder = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  name: z
    .strictObject({
      first: Name.meta(explained("The given names.", "Demo")),
      last: Name.meta(explained("The family names.", "Owner")),
    })
    .nullable()
    .meta(explained("The legal name, as on an identity document. Null erases it."))
    .optional(),
  dateOfBirth: z.iso
    .date()
    .nullable()
    .meta(
      explained(
        "The date of birth, in the form YYYY-MM-DD, not in the future. Null erases it.",
        "1990-12-10",
      ),
    )
    .optional(),
  phoneNumber: text(16)
    .regex(/^\+[1-9]\d{6,14}$/, { error: "Must be a phone number in E.164 form, such as +442071234567" })
    .nullable()
    .meta(
      explained(
        "The phone number in E.164 form: a plus sign, the country code and the number. Null erases it.",
        "+442071234567",
      ),
    )
    .optional(),
  address: address.nullable().meta(explained("The postal address. Null erases it.")).optional(),
  acceptsTerms: z
    .literal(true)
    .meta(
      explained(
        "That the caller accepts the issuer's terms for cardholders. Purser records the time and the caller's IP address.",
        true,
      ),
    )
    .optional(),
  governmentId: text(11)
    .regex(/^\d{3}-?\d{2}-?\d{4}$/, { error: "Must be a US SSN or ITIN of nine digits" })
    .nullable()
    .meta(
      explained(
        "A US SSN or ITIN of nine digits, for issuers that verify identities. Null erases it.",
        "900-70-0000",
      ),
    )
    .optional(),
});

export const GetCardholder = z.strictObject({ organizationId: Id.meta(sharedFields.organizationId) });

const DetailName = z.enum(cardholderDetailNames).meta({
  id: "CardholderDetail",
  ...explainedValues(cardholderDetailNames, "A detail of a cardholder that card issuers may require.", {
    name: "the legal name.",
    dateOfBirth: "the date of birth.",
    phoneNumber: "the phone number.",
    address: "the postal address.",
    termsAcceptance: "the acceptance of the issuer's terms, given with `acceptsTerms`.",
    governmentId: "the US SSN or ITIN.",
  }),
});

export const CardholderState = z
  .object({
    organizationId: z.string().meta(sharedFields.organizationId),
    userId: z.string().meta(sharedFields.userId),
    provided: z.array(DetailName).meta(explained("The details that are on record.", ["name", "phoneNumber"])),
    missing: z
      .array(DetailName)
      .meta(
        explained("The details that a card issuer of this service requires and that are not on record.", [
          "address",
        ]),
      ),
  })
  .meta({
    id: "CardholderState",
    description: "Which details of a cardholder are on record. Never the details themselves.",
  });
