import type { Hono } from "hono";
import type { HttpEnv } from "../http/context.ts";
import type { AppService } from "../service.ts";
import { accountPages } from "./account.ts";
import { assetRoutes } from "./asset-routes.ts";
import { bankLinkedPage } from "./bank-linked.ts";
import { bankReturnPage } from "./bank-return.ts";
import { billingPaddlePage } from "./billing-paddle.ts";
import { billingReturnPages } from "./billing-return.ts";
import { consoleOptions, consolePages } from "./console.ts";
import { ownAccountPage } from "./own-account.ts";
import { cardRevealPage } from "./card-reveal.ts";
import { referencePages } from "./reference/index.ts";
import { invitationPage } from "./invitation.ts";
import { landingPage } from "./landing.ts";
import { mailboxPages } from "./mailbox.ts";
import { sandboxBankPage } from "./sandbox-bank/index.ts";
import { sandboxBillingRoutes } from "./sandbox-billing/index.ts";
import { webhookReceiverPages } from "./webhook-receiver.ts";

/** Serves the pages for browsers. The forms of account and bank pages call the API as the signed-in user. */
export function mountPages(app: Hono<HttpEnv>, service: AppService): void {
  assetRoutes(app);
  consolePages(app, consoleOptions(service));
  landingPage(app, service);
  accountPages(app);
  ownAccountPage(app);
  invitationPage(app, service);
  bankReturnPage(app, service);
  bankLinkedPage(app);
  sandboxBankPage(app, service);
  sandboxBillingRoutes(app, service);
  billingReturnPages(app, service);
  billingPaddlePage(app, service);
  cardRevealPage(app, service);
  referencePages(app, service);
  if (!service.platform.settings.production) webhookReceiverPages(app);
  if (service.mailbox !== null) mailboxPages(app, service.mailbox);
}
