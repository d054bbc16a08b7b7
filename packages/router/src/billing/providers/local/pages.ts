export { type CheckoutPage, leaveCheckout, openCheckoutPage, payCheckout } from "./checkouts.ts";
export {
  type PortalAnswer,
  type PortalPage,
  openPortalPage,
  portalAdvance,
  portalCancel,
  portalConfirm,
  portalReplaceCard,
  portalResume,
} from "./portals.ts";
export type { CardForm, CardRefusal } from "./rules/cards.ts";
