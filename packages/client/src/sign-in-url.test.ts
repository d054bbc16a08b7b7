import { describe, expect, it } from "vitest";
import { signInUrl } from "./sign-in-url.ts";

describe("signInUrl", () => {
  it("is the address of the sign-in page, with the page that it leads to", () => {
    expect(signInUrl("https://purser.example.com/")).toBe("https://purser.example.com/sign-in");
    expect(signInUrl("https://purser.example.com", { next: "/account?a=b#keys" })).toBe(
      "https://purser.example.com/sign-in?next=%2Faccount%3Fa%3Db%23keys",
    );
  });
});
