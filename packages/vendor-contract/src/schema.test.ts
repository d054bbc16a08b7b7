import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { refine } from "./facts.ts";
import { contractSchemas } from "./schema.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-contract-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = `
type OtherString = string & Record<never, never>;
class Decimal { toJSON(): string { return ""; } }
interface Owner { name: string; nickname?: string | null; cards: Card[] }
type List<T> = { data: T[]; has_more: boolean };
interface Card {
  id: string;
  state: "OPEN" | "CLOSED" | OtherString;
  owner: string | Owner | null;
  limit: Decimal | null;
  frozen: boolean | null;
  metadata: { [key: string]: string };
  deleted?: void;
}
export interface AcmeOperations {
  "GET /cards": { query: { limit?: number }; response: List<Card> };
  "GET /cards/{id}": { response: Card & { owner: Owner } };
}
export interface AcmeWebhooks { "card.updated": { type: "card.updated"; data: Card } }
`;
const file = join(folder, "contract.ts");
writeFileSync(file, source);
const schema = contractSchemas([file]).get(file)!;

describe("contractSchemas", () => {
  it("closes objects, marks what is required, and resolves generics", () => {
    const { $ref = "" } = schema.operations["GET /cards"]!.properties!["response"]!;
    expect(schema.$defs[$ref.replace("#/$defs/", "")]).toEqual({
      type: "object",
      properties: {
        data: { type: "array", items: { $ref: "#/$defs/Card" } },
        has_more: { type: "boolean" },
      },
      required: ["data", "has_more"],
      additionalProperties: false,
    });
  });

  it("closes lists of values that the SDK keeps open, and reads decimals as text", () => {
    expect(schema.$defs["Card"]!.properties).toMatchObject({
      state: { enum: ["OPEN", "CLOSED"] },
      limit: { anyOf: [{ type: "null" }, { type: "string" }] },
      frozen: { anyOf: [{ type: "null" }, { type: "boolean" }] },
      metadata: { $ref: expect.any(String) },
    });
    expect(schema.$defs["Card"]!.properties).not.toHaveProperty("deleted");
  });

  it("takes an expandable field for its id, unless the contract expands it", () => {
    expect(schema.$defs["Card"]!.properties!["owner"]).toEqual({
      anyOf: [{ type: "null" }, { type: "string" }],
    });
    const expanded = Object.values(schema.$defs).filter(
      ({ properties }) => properties?.["owner"]?.$ref === "#/$defs/Owner",
    );
    expect(expanded).toHaveLength(1);
  });
});

describe("refine", () => {
  const fact = { says: "", document: "", path: "" };

  it("narrows and widens a field", () => {
    const refined = refine(schema, [
      { ...fact, of: "Card.id", is: { pattern: "^card_" }, null: false },
      { ...fact, of: "Owner.nickname", required: true },
      { ...fact, of: "Owner.name", null: true, required: false },
    ]);
    expect(JSON.stringify(refined.$defs["Card"]!.properties!["id"])).toContain("^card_");
    expect(refined.$defs["Owner"]).toMatchObject({
      properties: { name: { anyOf: [{ type: "string" }, { type: "null" }] } },
      required: ["cards", "nickname"],
    });
  });

  it("throws for a field that the SDK does not have", () => {
    expect(() => refine(schema, [{ ...fact, of: "Card.color" }])).toThrow("No type has Card.color");
  });
});
