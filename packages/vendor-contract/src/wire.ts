type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** A type of an SDK in camel case as it is in JSON, for vendors whose SDK renames the fields of requests. */
export type SnakeCased<T> = T extends (infer Item)[]
  ? SnakeCased<Item>[]
  : T extends object
    ? { [Name in keyof T as Name extends string ? SnakeCase<Name> : Name]: SnakeCased<T[Name]> }
    : T;
