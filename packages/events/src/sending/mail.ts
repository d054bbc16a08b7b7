/** The mail to an owner whose webhook endpoint was disabled by the service. */
export function endpointDisabled({
  organizationName,
  origin,
  reason,
  appUrl,
}: {
  organizationName: string;
  /** The scheme and the host of the endpoint. The rest of the address may contain a secret. */
  origin: string;
  reason: string;
  appUrl: string;
}) {
  return {
    subject: `A webhook endpoint of ${organizationName} was disabled`,
    text: [
      `Events of ${organizationName} are no longer sent to an endpoint at ${origin}. ${reason}`,
      "What happens until an owner enables it again is not sent later. The list of events has it. Deliveries that failed can be sent again one by one:",
      appUrl,
    ].join("\n\n"),
  };
}
