import { describe, expect, it } from "vitest";
import { Problem, type ProblemCode, problemAdvice, problemCatalog, problemDocument } from "./problem.ts";

const codes = Object.keys(problemCatalog) as ProblemCode[];

describe("the problem catalog", () => {
  it.each(codes)("%s has an error status and a sentence", (code) => {
    const [status, sentence] = problemCatalog[code];
    const { help = "None." } = problemAdvice(code);
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(help).toMatch(/^[A-Z].*\.$/);
  });

  it("uses 404 for every missing or invisible resource", () => {
    for (const code of codes.filter((name) => name.endsWith("_NOT_FOUND")))
      expect(problemCatalog[code][0]).toBe(404);
  });
});

describe("problemDocument", () => {
  it("has the fields of RFC 9457 and our own, and no other", () => {
    expect(problemDocument(new Problem("LAST_OWNER"), "req_1")).toEqual({
      type: "/docs/problems#LAST_OWNER",
      title: "Last owner",
      status: 409,
      detail: "An organization needs an owner. Make another member an owner first.",
      code: "LAST_OWNER",
      requestId: "req_1",
      retryable: false,
    });
  });

  it("writes acronyms in its title in capitals", () => {
    expect(problemDocument(new Problem("MALFORMED_JSON"), "req_1").title).toBe("Malformed JSON");
    expect(problemDocument(new Problem("API_KEY_NOT_FOUND"), "req_1").title).toBe("API key not found");
  });

  it("lists the issues of an input", () => {
    const issues = [
      { path: ["members", 0, "role"], code: "invalid_value", message: "Must be OWNER or MEMBER" },
    ];
    const document = problemDocument(new Problem("VALIDATION_FAILED", { issues }), "req_1");
    expect(document.issues).toEqual(issues);
  });

  it("says whether a repeat may help, and what else can", () => {
    expect(problemDocument(new Problem("UNAVAILABLE"), "req_1").retryable).toBe(true);
    expect(problemDocument(new Problem("PROVIDER_ERROR"), "req_1").retryable).toBe(false);
    expect(problemDocument(new Problem("PROVIDER_ERROR", { retryable: true }), "req_1").retryable).toBe(true);
    expect(problemDocument(new Problem("FORBIDDEN"), "req_1").help).toBe("Ask an owner of the organization.");
  });

  it("uses the detail of the case if there is one", () => {
    const problem = new Problem("ORGANIZATION_IN_USE", { detail: "A card is not closed." });
    expect(problemDocument(problem, "req_1").detail).toBe("A card is not closed.");
  });

  it("does not reveal the cause", () => {
    const cause = new Error("duplicate key value violates unique constraint");
    const problem = new Problem("INTERNAL", { cause });
    expect(JSON.stringify(problemDocument(problem, "req_1"))).not.toContain("constraint");
    expect(problem.cause).toBe(cause);
  });
});
