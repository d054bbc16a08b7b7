import { Id, Name, cardholderDetailNames, text } from "@purser/core";
import { z } from "zod";

const address = z.strictObject({
  line1: Name,
  line2: Name.optional(),
  city: Name,
  state: Name.meta({ description: "The state or province. In the USA its code, such as NY." }).optional(),
  postalCode: text(20).trim().min(1),
  country: text(2)
    .regex(/^[A-Z]{2}$/, { error: "Must be an upper-case ISO 3166-1 alpha-2 code" })
    .meta({ description: "ISO 3166-1 alpha-2, upper case." }),
});

/**
 * Details of the caller as a cardholder of an organization. An absent field stays as it is, and null erases it. They are
 * sealed in the database, sent to card issuers, and never returned.
 */
export const UpdateCardholder = z.strictObject({
  organizationId: Id,
  name: z
    .strictObject({ first: Name, last: Name })
    .nullable()
    .meta({ description: "As on an identity document." })
    .optional(),
  dateOfBirth: z.iso.date().nullable().meta({ description: "A day in the form YYYY-MM-DD." }).optional(),
  phoneNumber: text(16)
    .regex(/^\+[1-9]\d{6,14}$/, { error: "Must be a phone number in E.164 form, such as +442071234567" })
    .nullable()
    .meta({ description: "In E.164 form, such as +442071234567." })
    .optional(),
  address: address.nullable().meta({ description: "The postal address." }).optional(),
  acceptsTerms: z
    .literal(true)
    .meta({
      description:
        "That the caller accepts the issuer's terms for cardholders. Purser records the time and the caller's IP address.",
    })
    .optional(),
  governmentId: text(11)
    .regex(/^\d{3}-?\d{2}-?\d{4}$/, { error: "Must be a US SSN or ITIN of nine digits" })
    .nullable()
    .meta({ description: "A US SSN or ITIN, for issuers that verify identities." })
    .optional(),
});

const DetailName = z.enum(cardholderDetailNames).meta({ id: "CardholderDetail" });

/** Which details of a cardholder are known. Never the details themselves. */
export const CardholderState = z
  .object({
    organizationId: z.string(),
    userId: z.string(),
    provided: z.array(DetailName).meta({ description: "The details that are on record." }),
    missing: z.array(DetailName).meta({ description: "The details that a card issuer still requires." }),
  })
  .meta({ id: "CardholderState" });
