export { openCheckoutPage, payCheckout } from "./checkouts.ts";
export { Advance, ReplaceCard } from "./controls/contract.ts";
export { advanceSubscriptionClock, replaceSubscriptionCard } from "./controls/service.ts";
export { sandboxPayments, purgeSandboxBillingPages } from "./payments.ts";
export { openPortalPage } from "./portals.ts";
export { tickSandboxSubscriptions } from "./subscriptions.ts";
export { leaveCheckout } from "./checkouts.ts";
export { portalAdvance, portalCancel, portalConfirm, portalReplaceCard, portalResume } from "./portals.ts";
export { advanceSandboxSubscription } from "./subscriptions.ts";
