import ts from "typescript-6";

/** The part of JSON Schema that a type becomes. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  maximum?: number;
  minimum?: number;
}

/** The schemas of a vendor's operations and webhooks. Named types are in `$defs`, under the name that the SDK gives. */
export interface ContractSchema {
  operations: Record<string, JsonSchema>;
  webhooks: Record<string, JsonSchema>;
  $defs: Record<string, JsonSchema>;
}

/**
 * Makes JSON Schemas from the exported interfaces `…Operations` and `…Webhooks` of each file. TypeScript's checker
 * resolves the types, so generics, mapped types and intersections become plain objects.
 */
export function contractSchemas(files: readonly string[]): Map<string, ContractSchema> {
  const program = ts.createProgram(files, {
    lib: ["lib.es2024.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  return new Map(
    files.map((file) => [file, contractSchema(program.getTypeChecker(), program.getSourceFile(file))]),
  );
}

function contractSchema(checker: ts.TypeChecker, file: ts.SourceFile | undefined): ContractSchema {
  const symbol = file && checker.getSymbolAtLocation(file);
  if (symbol === undefined) throw new Error("A contract file must exist and export its interfaces");
  const writer = new SchemaWriter(checker);
  const tableOf = (suffix: string, schemaOf: (type: ts.Type) => JsonSchema): Record<string, JsonSchema> => {
    const declared = checker.getExportsOfModule(symbol).find(({ name }) => name.endsWith(suffix));
    if (declared === undefined) return {};
    const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(declared));
    return Object.fromEntries(
      members.map((member) => [member.name, schemaOf(checker.getTypeOfSymbol(member))]),
    );
  };
  const operations = tableOf("Operations", (type) => writer.inline(type));
  const webhooks = tableOf("Webhooks", (type) => writer.schemaOf(type));
  return { operations, webhooks, $defs: writer.definitions };
}

const { Any, Unknown, Never, String, Number, Boolean, Null, Undefined, Void } = ts.TypeFlags;
const { StringLiteral, NumberLiteral, BooleanLiteral, TemplateLiteral, Object: ObjectFlag } = ts.TypeFlags;

class SchemaWriter {
  readonly definitions: Record<string, JsonSchema> = {};
  readonly #names = new Map<ts.Type, string>();
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  schemaOf(type: ts.Type): JsonSchema {
    const { flags } = type;
    if (flags & (Any | Unknown)) return {};
    if (flags & (Never | Undefined | Void)) return { anyOf: [] };
    if (flags & (StringLiteral | NumberLiteral)) return { enum: [(type as ts.LiteralType).value] };
    if (flags & BooleanLiteral) return { enum: [this.#checker.typeToString(type) === "true"] };
    if (flags & (String | TemplateLiteral) || isText(type) || isDecimal(type)) return { type: "string" };
    if (flags & Number) return { type: "number" };
    if (flags & Boolean) return { type: "boolean" };
    if (flags & Null) return { type: "null" };
    if (type.isUnion()) return this.#union(type);
    const element = this.#elementOf(type);
    if (element !== undefined) return { type: "array", items: this.schemaOf(element) };
    return this.#named(type);
  }

  /** The properties of an object type, without a definition of its own. */
  inline(type: ts.Type): JsonSchema {
    const checker = this.#checker;
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of checker.getPropertiesOfType(type)) {
      const member = checker.getTypeOfSymbol(property);
      // Methods and class members are no data.
      if (member.getCallSignatures().length > 0) continue;
      const schema = this.schemaOf(member);
      // `deleted?: void` says that the field is never there.
      if (schema.anyOf?.length === 0) continue;
      properties[property.name] = schema;
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    return {
      type: "object",
      properties,
      required,
      additionalProperties: index === undefined ? false : this.schemaOf(index.type),
    };
  }

  #union({ types }: ts.UnionType): JsonSchema {
    const present = types.filter(({ flags }) => !(flags & (Undefined | Void)));
    const literals = present.filter(({ flags }) => flags & (StringLiteral | NumberLiteral | BooleanLiteral));
    // An SDK adds `string & {}` to a list of values that may grow. Fakes and adapters use the values of today.
    const others = present.filter(
      (type) => !literals.includes(type) && !(type.isIntersection() && isText(type)),
    );
    const hasId = others.some(({ flags }) => flags & String);
    const schemas = others
      // Stripe's SDK types an expandable field as the id or the whole object. A contract names what it expands.
      .filter(
        (type) =>
          !(hasId && type.flags & ObjectFlag && !isDecimal(type) && this.#elementOf(type) === undefined),
      )
      .map((type) => this.schemaOf(type));
    const values = literals.flatMap((type) => this.schemaOf(type).enum ?? []);
    if (values.includes(true) && values.includes(false)) schemas.push({ type: "boolean" });
    else if (values.length > 0) schemas.push({ enum: values });
    return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  }

  #elementOf(type: ts.Type): ts.Type | undefined {
    const isArray = this.#checker.isArrayType(type) || this.#checker.isTupleType(type);
    return isArray ? this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
  }

  #named(type: ts.Type): JsonSchema {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const name = symbol && this.#checker.getFullyQualifiedName(symbol).replace(/^".*"\./, "");
    const isGeneric =
      (type.aliasTypeArguments ?? this.#checker.getTypeArguments(type as ts.TypeReference)).length > 0;
    if (name === undefined || name === "__type" || isGeneric) return this.#anonymous(type);
    return this.#define(type, name);
  }

  /** An unnamed object is written in place, unless it contains itself. */
  #anonymous(type: ts.Type): JsonSchema {
    const name = this.#names.get(type);
    if (name !== undefined) return { $ref: `#/$defs/${name}` };
    return this.#define(type, `object-${this.#names.size}`);
  }

  #define(type: ts.Type, wanted: string): JsonSchema {
    const known = this.#names.get(type);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    let name = wanted;
    for (let count = 2; name in this.definitions; count += 1) name = `${wanted}-${count}`;
    this.#names.set(type, name);
    this.definitions[name] = {};
    this.definitions[name] = this.inline(type);
    return { $ref: `#/$defs/${name}` };
  }
}

function isText(type: ts.Type): boolean {
  return type.isIntersection() && type.types.some(({ flags }) => flags & String);
}

/** Stripe's SDK wraps decimals, which are text in JSON. */
function isDecimal(type: ts.Type): boolean {
  return (type.aliasSymbol ?? type.getSymbol())?.name === "Decimal";
}
