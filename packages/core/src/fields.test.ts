import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { Email, Id, Name, TimeZone, WebUrl, openText, text } from "./fields.ts";

const accepts = (field: z.ZodType, value: unknown) => field.safeParse(value).success;

describe("text", () => {
  it.each([
    ["an empty text", "", true],
    ["as many characters as allowed", "abcde", true],
    ["one character more", "abcdef", false],
    ["an emoji, which is two code units", "abc😀", true],
    ["U+0000", "a\0b", false],
    ["an unpaired high surrogate", "a\uD83D", false],
    ["an unpaired low surrogate", "\uDE00a", false],
    ["a number", 5, false],
    ["null", null, false],
  ])("%s: accepted is %s", (_what, value, accepted) => {
    expect(accepts(text(5), value)).toBe(accepted);
  });
});

describe("Id", () => {
  it("accepts any text of up to 255 characters, because a malformed identifier is simply not found", () => {
    for (const id of ["", "org_", "../../etc", "org_'; DROP TABLE organizations", "x".repeat(255)]) {
      expect(Id.parse(id)).toBe(id);
    }
    expect(accepts(Id, "x".repeat(256))).toBe(false);
    expect(accepts(Id, "org_\0")).toBe(false);
  });
});

describe("Name", () => {
  it("is trimmed", () => expect(Name.parse("  Acme\t\n")).toBe("Acme"));

  it.each([
    "",
    "   ",
    "\u00a0\u2003",
    "x".repeat(201),
    "Ac\0me",
    "Acme\n\nhttps://evil.example",
    "Ac\rme",
    "Ac\u2028me",
    "Ac\u2029me",
    "Ac\u0085me",
    "Ac\u001bme",
    "a\u202Eb",
    "\u2066Acme\u2069",
    "\u200B",
    "\u00AD\u2060",
    "\u3164",
    "\u2800",
  ])("refuses %j", (name) => {
    expect(accepts(Name, name)).toBe(false);
  });

  it.each(["नमस्\u200Dते", "می\u200Cخواهم", "👩\u200D💻", "\u200Fאבג Ltd\u200F", "x\u0301", "!"])(
    "takes %j, with the joiners and marks of its script",
    (name) => {
      expect(Name.parse(name)).toBe(name);
    },
  );
});

describe("Email", () => {
  it("is trimmed and lowercased", () => {
    expect(Email.parse(" Owner+Bank@Demo.EXAMPLE ")).toBe("owner+bank@demo.example");
  });

  it.each([
    "",
    "owner",
    "owner@",
    "@demo.example",
    "a b@demo.example",
    "a@b@demo.example",
    "owner@demo",
    "a@demo.example\0",
  ])("refuses %j", (email) => expect(accepts(Email, email)).toBe(false));

  it("refuses more than the 254 characters that mail allows", () => {
    expect(
      accepts(Email, `${"a".repeat(60)}@${"b".repeat(62)}.${"c".repeat(62)}.${"d".repeat(62)}.example`),
    ).toBe(false);
  });
});

describe("WebUrl", () => {
  it.each(["https://cdn.example/logo.png", "http://localhost:8080/a?b=c#d"])("takes %s", (url) => {
    expect(WebUrl.parse(url)).toBe(url);
  });

  it.each([
    "",
    "/logo.png",
    "//cdn.example/logo.png",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "data:image/png;base64,AAAA",
    "file:///etc/passwd",
    "ftp://cdn.example/logo.png",
    "ht\ntps://cdn.example/logo.png",
    " https://cdn.example/logo.png ",
    "https://user:password@cdn.example/logo.png",
    `https://cdn.example/${"a".repeat(2048)}`,
  ])("refuses %j", (url) => expect(accepts(WebUrl, url)).toBe(false));
});

describe("TimeZone", () => {
  it.each(["UTC", "Europe/London", "America/Argentina/Buenos_Aires", "Asia/Kathmandu"])(
    "takes %s",
    (zone) => {
      expect(TimeZone.parse(zone)).toBe(zone);
    },
  );

  it.each(["", "+01:00", "-05", "Europe/Atlantis", "UTC+1", "Europe/London; DROP", "Local", "europe/london"])(
    "refuses %j",
    (zone) => {
      expect(accepts(TimeZone, zone)).toBe(false);
    },
  );
});

describe("openText", () => {
  it("accepts values that a later version may add", () => {
    const Reason = openText(["too_large", "too_late"]);
    expect(Reason.parse("too_large")).toBe("too_large");
    expect(Reason.parse("too_loud")).toBe("too_loud");
    expect(Reason.safeParse(1).success).toBe(false);
  });
});
