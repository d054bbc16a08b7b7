const list = { list: "query" };

/** Every planned procedure, to estimate the size of the complete client. */
export const plannedProcedures = {
  organizations: {
    ...list,
    get: "query",
    create: "mutation",
    update: "mutation",
    delete: "mutation",
    members: { ...list, remove: "mutation", updateRole: "mutation" },
    invitations: { ...list, get: "query", create: "mutation", accept: "mutation", revoke: "mutation" },
    subscription: { get: "query" },
    settings: { get: "query", update: "mutation" },
    audit: list,
  },
  banking: {
    connections: {
      ...list,
      connect: "mutation",
      disconnect: "mutation",
      updateConsent: "mutation",
      sync: "mutation",
    },
    accounts: { ...list, get: "query" },
    transactions: list,
    institutions: list,
    link: { create: "mutation" },
    syncs: list,
  },
  cards: {
    ...list,
    get: "query",
    create: "mutation",
    update: "mutation",
    updateStatus: "mutation",
    policies: { ...list, create: "mutation", update: "mutation", check: "query", backtest: "query" },
    transactions: { ...list, explain: "query" },
  },
  billing: {
    plans: list,
    checkout: "mutation",
    portal: "mutation",
    cancel: "mutation",
    resume: "mutation",
    sync: "mutation",
    events: { ...list, replay: "mutation" },
  },
  sandbox: {
    cards: {
      authorize: "mutation",
      increment: "mutation",
      reverse: "mutation",
      expire: "mutation",
      clear: "mutation",
      refund: "mutation",
    },
  },
};
