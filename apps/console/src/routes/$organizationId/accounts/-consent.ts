import type { BankProviderName } from "@purser/client";
import { useNavigate } from "@tanstack/react-router";
import { useAction } from "../../../data/action.tsx";
import { useOrganization } from "../../../data/organization.ts";
import { purser } from "../../../data/purser.ts";

type Consent =
  | { provider: BankProviderName; providerId: string }
  /** Renews the consent of a connection. */
  | { connectionId: string };

/** Leads to the page of the bank, in this window. The bank sends the person back to the page that connects. */
export function useConsentPage() {
  const { organizationId: teamId } = useOrganization();
  const redirectUrl = new URL(`/${teamId}/accounts/connect`, location.href).href;
  return useAction((consent: Consent) => purser.banking.link.create({ teamId, redirectUrl, ...consent }), {
    leadsTo: ({ url }) => url,
  });
}

/** Opens the page that shows how far the first sync of a connection is. */
export function useProgressPage() {
  const { organizationId } = useOrganization();
  const navigate = useNavigate();
  return (connectionId: string) =>
    navigate({
      to: "/$organizationId/accounts/connect",
      params: { organizationId },
      search: { connectionId },
      replace: true,
    });
}
