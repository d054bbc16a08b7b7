import type {
  AnyTRPCMutationProcedure,
  AnyTRPCQueryProcedure,
  AnyTRPCRouter,
  AnyTRPCSubscriptionProcedure,
  inferProcedureInput,
  inferRouterOutputs,
} from "@trpc/server";
import type { PurserErrorCode } from "../src/error.ts";
import type { StreamOf, WithCursor } from "../src/router-types.ts";

/** Compiles only if the two types are identical: not wider, not narrower, with the same optional fields. */
export type Same<One, Other extends Exactly<One, Other>> = Other;

type Exactly<One, Other> = Equal<One, Other> extends true ? unknown : never;

/** Whether two types are identical. Being assignable to each other is not enough. */
export type Equal<One, Other> =
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- left open, it makes the compiler compare for identity
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** The parts that must be equal in a generated client and its router. */
export interface Image<Inputs, Outputs, Kinds> {
  inputs: Inputs;
  outputs: Outputs;
  kinds: Kinds;
}

export type ImageOfClient<Client, Table> = Image<InputsOf<Client>, OutputsOf<Client>, Table>;

export type ImageOfRouter<Router extends AnyTRPCRouter> = Image<
  InputsOfRecord<Router["_def"]["record"]>,
  inferRouterOutputs<Router>,
  KindsOf<Router["_def"]["record"]>
>;

export type ErrorOf<Router extends AnyTRPCRouter> = Router["_def"]["_config"]["$types"]["errorShape"];

/** An error as the client publishes it: a newer server may send codes that this version does not know. */
export type OpenError<Shape> = {
  [Field in keyof Shape]: Field extends "data" | "problem"
    ? OpenError<Shape[Field]>
    : Shape[Field] extends string
      ? Opened<Field, Shape[Field]>
      : Shape[Field];
};

type Opened<Field, Text> = Field extends "code" ? PurserErrorCode : Text;

type Method = (...call: never[]) => Promise<unknown> | AsyncGenerator;

type InputsOf<Client> = {
  [Name in keyof Client]: Client[Name] extends Method
    ? InputOf<Parameters<Client[Name]>>
    : InputsOf<Client[Name]>;
};

// tRPC also writes an optional input as void.
type InputOf<Call extends unknown[]> = Call extends [input: infer Input, options?: unknown]
  ? Input
  : Call extends [input?: infer Input, options?: unknown]
    ? Input | undefined | void
    : never;

/** The inputs of a router without the cursor, which the HTTP transport reads and no contract knows. */
type InputsOfRecord<Record> = {
  [Name in keyof Record]: Record[Name] extends
    | AnyTRPCQueryProcedure
    | AnyTRPCMutationProcedure
    | AnyTRPCSubscriptionProcedure
    ? WithoutCursor<inferProcedureInput<Record[Name]>>
    : InputsOfRecord<Record[Name]>;
};

type WithoutCursor<Input> = Input extends WithCursor<infer Own> ? Own : Input;

type OutputsOf<Client> = {
  [Name in keyof Client]: Client[Name] extends Method
    ? ReturnType<Client[Name]> extends AsyncGenerator<infer Value>
      ? StreamOf<Value>
      : Awaited<ReturnType<Client[Name]>>
    : OutputsOf<Client[Name]>;
};

type KindsOf<Record> = {
  readonly [Name in keyof Record]: Record[Name] extends AnyTRPCQueryProcedure
    ? "query"
    : Record[Name] extends AnyTRPCMutationProcedure
      ? "mutation"
      : Record[Name] extends AnyTRPCSubscriptionProcedure
        ? "subscription"
        : KindsOf<Record[Name]>;
};
