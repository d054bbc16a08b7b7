import { z } from "zod";

/** The answer of every target without a database: an organization, checked on the way in and out. */
export const sample = { id: "org_01kk8m3q00fv0tqg1q3dh0w8jm", name: "Acme", avatarUrl: null };
export const Input = z.strictObject({ id: z.string().max(255) });
export const Output = z.object({ id: z.string(), name: z.string(), avatarUrl: z.string().nullable() });
