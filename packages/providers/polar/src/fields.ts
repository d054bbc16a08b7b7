import type { CheckoutRequest } from "@purser/billing/ports";
import { z } from "zod";

/** What many of Polar's resources share: ids, times, and the metadata that names the organization. */

/** Whether an id has the form of Polar's ids, which are UUIDs. */
export const isPolarId = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

export const WithPolarId = z.object({ id: z.string().refine(isPolarId) });
export const PolarId = WithPolarId.shape.id;
export const PolarTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The metadata of a checkout. The subscription inherits it. */
export function polarMetadata({ organizationId, checkoutId }: CheckoutRequest) {
  return { purser_organization: organizationId, purser_checkout: checkoutId };
}

const Name = z.string().min(1).max(255).nullish().catch(null);

/** The organization is in the metadata, which come from the checkout, and is the customer's external id. */
export const PolarOwner = z.object({
  metadata: z.object({ purser_organization: Name }).nullish().catch(null),
  customer: z.object({ external_id: Name }).nullish().catch(null),
});

/** Returns the organization that a resource belongs to; null when it names none. */
export function polarOrganizationId({ metadata, customer }: z.infer<typeof PolarOwner>): string | null {
  return metadata?.purser_organization ?? customer?.external_id ?? null;
}
