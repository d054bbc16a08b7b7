import { openText } from "@purser/core";
import { initTRPC } from "@trpc/server";
import { z } from "zod";

const t = initTRPC.meta<{ summary: string; errors?: "FORBIDDEN"[] }>().create({
  transformer: { serialize: (value: unknown) => value, deserialize: (value: unknown) => value },
});

const Color = z.enum(["RED", "GREEN"]).meta({ id: "Color", description: "The color.", examples: ["RED"] });

const Reason = openText(["too_large", "too_late"]).meta({ id: "Reason", description: "Why not." });

const Folder = z
  .object({
    id: z.string().describe("Assigned by the server."),
    get folders() {
      return z.array(Folder);
    },
  })
  .meta({ id: "Folder" });

const Shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("square"), side: z.int(), color: Color.optional() }),
]);

const Everything = z.strictObject({
  text: z.string().trim().min(1),
  email: z.string().pipe(z.email()),
  whole: z.int(),
  flag: z.boolean(),
  day: z.date(),
  color: Color,
  colors: z.array(Color),
  background: Color.meta({ description: "Behind the text." }),
  either: z.union([z.string(), z.number()]),
  eithers: z.array(z.union([z.literal(1), z.literal("two"), z.literal(null)])),
  nested: z.object({ inner: z.array(z.object({ id: z.string() })) }),
  map: z.record(z.string(), z.unknown()),
  tally: z.record(Color, z.number()),
  "odd-name": z.null(),
  cleared: z.string().nullable(),
  left: z.string().optional(),
  leftOrCleared: z
    .date()
    .meta({ description: "Its end.", examples: [new Date("2026-03-01T00:00:00.000Z")] })
    .nullable()
    .meta({ description: "Null if it never ends." })
    .optional(),
  limit: z
    .int()
    .default(1000)
    .meta({ description: "The page size.", examples: [50] }),
  reason: Reason,
  otherReason: Reason.nullable().meta({ description: "Null without one." }),
  early: z.array(z.string()).prefault([]),
  anything: z.unknown(),
});

const procedure = t.procedure.meta({ summary: "A procedure." });

/** A router with every kind of contract that the areas may use, in every place where it may occur. */
export const kinds = t.router({
  all: {
    change: procedure
      .input(Everything)
      .output(Everything)
      .mutation(({ input }) => input),
    nothing: procedure
      .input(z.strictObject({ id: z.string() }))
      .output(z.void())
      .mutation(() => {}),
    deeper: {
      text: procedure
        .input(z.strictObject({}))
        .output(z.string())
        .query(() => "https://checkout.example"),
      shape: procedure
        .meta({ summary: "Reads a shape, or */ nothing.", errors: ["FORBIDDEN"] })
        .input(z.strictObject({ kind: z.literal(["circle", "square"]) }))
        .output(Shape.nullable())
        .query(() => null),
    },
  },
  list: procedure
    .input(z.strictObject({ limit: z.int().default(1000), after: z.string().optional() }).prefault({}))
    .output(z.array(Folder))
    .query(() => []),
});
