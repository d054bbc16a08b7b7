import { describe, expect, it } from "vitest";
import { stripeIssuingSettings } from "../settings.ts";

const read = (text: string) => stripeIssuingSettings.variables.STRIPE_ISSUING_BILLING_ADDRESS.safeParse(text);

describe("STRIPE_ISSUING_BILLING_ADDRESS", () => {
  it.each([
    [
      "1 Lime Street; London; EC3M 7AA; GB",
      { line1: "1 Lime Street", city: "London", postalCode: "EC3M 7AA", country: "GB" },
    ],
    [
      "1 St; New York; NY; 10001; US",
      { line1: "1 St", city: "New York", state: "NY", postalCode: "10001", country: "US" },
    ],
  ])("is an address, with or without a state: %s", (text, address) => {
    expect(read(text).data).toEqual(address);
  });

  it.each([
    "1 Lime Street; London; EC3M 7AA; United Kingdom",
    "1 St; New York; ; 10001; US",
    "London; EC3M 7AA; GB",
    "1 St; Floor 2; New York; NY; 10001; US",
  ])("is refused in another form, which the message says: %s", (text) => {
    expect(read(text).error?.message).toContain("line1; city; state; postal code; country");
  });
});
