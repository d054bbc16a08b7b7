export { openCheckoutPage, payCheckout } from "./checkouts.ts";
export { Advance, ReplaceCard } from "./controls/contract.ts";
export { advance, replaceCard } from "./controls/service.ts";
export { sandboxPayments, purgePages } from "./payments.ts";
export { openPortalPage } from "./portals.ts";
export { tick } from "./subscriptions.ts";
export { leaveCheckout } from "./checkouts.ts";
export { portalAdvance, portalCancel, portalConfirm, portalReplaceCard, portalResume } from "./portals.ts";
export { advanceSubscription } from "./subscriptions.ts";
