export { type CheckoutPage, leaveCheckout, openCheckoutPage, payCheckout } from "./checkouts.ts";
export * from "./controls/contract.ts";
export * from "./controls/service.ts";
export { purgeSandboxBillingPages, sandboxPayments } from "./payments.ts";
export {
  type PortalPage,
  openPortalPage,
  portalAdvance,
  portalCancel,
  portalConfirm,
  portalReplaceCard,
  portalResume,
} from "./portals.ts";
export { type CardForm } from "./rules/cards.ts";
export { advanceSandboxSubscription, tickSandboxSubscriptions } from "./subscriptions.ts";
