import { testSettings } from "@purser/testing";
import { describe, expect, it } from "vitest";
import { trustedRedirect } from "./redirect.ts";

const settings = {
  ...testSettings(),
  baseUrl: "https://purser.example.com",
  trustedOrigins: ["https://purser.example.com", "https://app.example.com"],
};
const redirect = (url?: string) => trustedRedirect({ settings }, url, "/done");

describe("trustedRedirect", () => {
  it("returns one of our own pages if no address is requested", () => {
    expect(redirect()).toBe("https://purser.example.com/done");
  });

  it.each([
    ["https://app.example.com/welcome?from=mail#top", "https://app.example.com/welcome?from=mail#top"],
    ["https://app.example.com", "https://app.example.com/"],
    // Others would take what follows the backslash for the host.
    ["https://app.example.com\\@evil.example.com", "https://app.example.com/@evil.example.com"],
    ["HTTPS://APP.example.com:443/\tback", "https://app.example.com/back"],
  ])("returns %j normalized", (named, understood) => {
    expect(redirect(named)).toBe(understood);
  });

  it.each([
    "https://evil.example.com/",
    "https://app.example.com@evil.example.com/",
    "http://app.example.com/",
  ])("refuses %j", (named) => {
    expect(() => redirect(named)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
  });
});
