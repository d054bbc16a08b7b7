import { CountryCode } from "plaid";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { plaidSettings } from "./settings.ts";

const read = (variables: Record<string, string>) =>
  plaidSettings.fromVariables(z.object(plaidSettings.variables).parse(variables));

const credentials = { PLAID_CLIENT_ID: "client", PLAID_SECRET: "secret" };

describe("plaidSettings", () => {
  it("are null without credentials", () => {
    expect(read({ PLAID_COUNTRIES: "FR" })).toBeNull();
  });

  it("have defaults for everything except the credentials", () => {
    expect(read(credentials)).toEqual({
      clientId: "client",
      secret: "secret",
      environment: "production",
      countryCodes: ["GB"],
      clientName: "Purser",
      language: "en",
      daysRequested: 730,
      refreshesOnRequest: false,
    });
  });

  it("accept every country of the SDK, and keep the order", () => {
    const codes = Object.values(CountryCode).toReversed();
    expect(read({ ...credentials, PLAID_COUNTRIES: codes.join(", ") })?.countryCodes).toEqual(codes);
    expect(read({ ...credentials, PLAID_COUNTRIES: "us,ca,us" })?.countryCodes).toEqual(["US", "CA"]);
  });

  it.each([
    ["PLAID_COUNTRIES", "GB,XX", "countries of Plaid"],
    ["PLAID_COUNTRIES", "", "countries of Plaid"],
    ["PLAID_CLIENT_NAME", "A name of more than 30 characters", "1 to 30 characters"],
    ["PLAID_LANGUAGE", "tlh", "one of da, nl, en"],
    ["PLAID_DAYS_REQUESTED", "29", "from 30 to 730"],
    ["PLAID_DAYS_REQUESTED", "731", "from 30 to 730"],
  ])("refuse %s=%s", (name, value, expectation) => {
    expect(() => read({ ...credentials, [name]: value })).toThrow(expectation);
  });
});
