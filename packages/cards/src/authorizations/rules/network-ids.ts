/** The network id of the ledger entry that withdraws the approval of a message. */
export const withdrawalOf = (networkId: string) => `${networkId}:late`;

/** The network id of the ledger entry that records the network's own decision on a message. */
export const adviceOf = (networkId: string) => `${networkId}:advice`;

/** The network id of the ledger entry that clears a request which took the money at once, in the same message. */
export const clearingOf = (networkId: string) => `${networkId}:clearing`;

/** The network id of the ledger entry that gives back what a purchase counts which a message undoes. */
export const undoingOf = (networkId: string) => `${networkId}:undone`;

/** The network id of the ledger entry that releases the rest of a hold when a recorded clearing turns out to be the last. */
export const closingOf = (networkId: string) => `${networkId}:last`;
