import { text } from "@purser/core";
import { z } from "zod";

/** What the page posts. It is no part of the API. */
export const RevealRequest = z.strictObject({
  token: text(200),
  /** What the issuer's component made in the browser. */
  nonce: text(500).min(1).optional(),
});
