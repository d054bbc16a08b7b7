import { z } from "zod";

export const Id = z.string().min(1).max(255);

/** An object that Stripe names by its id, or includes when it is expanded. Reads as the id. */
export const Reference = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);

/** Stripe's times are whole seconds since 1970. */
export const Timestamp = z.int().transform((seconds) => new Date(seconds * 1000));
