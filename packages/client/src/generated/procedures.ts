// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

export const procedures = {
  me: {
    get: "query",
  },
  keys: {
    list: "query",
    create: "mutation",
    revoke: "mutation",
  },
  events: {
    list: "query",
    get: "query",
    feed: "query",
    stream: "subscription",
  },
  webhookEndpoints: {
    list: "query",
    create: "mutation",
    update: "mutation",
    delete: "mutation",
    rotateSecret: "mutation",
    test: "mutation",
    deliveries: {
      list: "query",
      get: "query",
      redeliver: "mutation",
    },
  },
  cards: {
    list: "query",
    create: "mutation",
    get: "query",
    update: "mutation",
    updateStatus: "mutation",
    reveal: "mutation",
    cardholder: {
      get: "query",
      update: "mutation",
    },
    merchantCategories: {
      list: "query",
    },
    policies: {
      list: "query",
      create: "mutation",
      update: "mutation",
      check: "query",
      backtest: "query",
    },
    transactions: {
      list: "query",
      explain: "query",
    },
    reports: {
      spending: "query",
    },
  },
  banking: {
    institutions: {
      list: "query",
    },
    link: {
      create: "mutation",
    },
    connections: {
      list: "query",
      connect: "mutation",
      disconnect: "mutation",
      updateConsent: "mutation",
      health: "query",
      reconfirm: "mutation",
      sync: "mutation",
    },
    accounts: {
      list: "query",
      get: "query",
      merge: "mutation",
    },
    transactions: {
      list: "query",
      get: "query",
      update: "mutation",
    },
    reports: {
      balances: "query",
      cashflow: "query",
    },
    syncs: {
      list: "query",
    },
    quarantine: {
      list: "query",
      resolve: "mutation",
    },
  },
  billing: {
    checkout: "mutation",
    portal: "mutation",
    cancel: "mutation",
    resume: "mutation",
    sync: "mutation",
    plans: {
      list: "query",
    },
    events: {
      list: "query",
      replay: "mutation",
    },
  },
  organizations: {
    list: "query",
    get: "query",
    create: "mutation",
    update: "mutation",
    delete: "mutation",
    members: {
      list: "query",
      remove: "mutation",
      updateRole: "mutation",
    },
    invitations: {
      list: "query",
      get: "query",
      create: "mutation",
      accept: "mutation",
      revoke: "mutation",
    },
    subscription: {
      get: "query",
    },
    settings: {
      get: "query",
      update: "mutation",
    },
    audit: {
      list: "query",
    },
  },
  sandbox: {
    banking: {
      addTransaction: "mutation",
      postTransaction: "mutation",
      changeTransaction: "mutation",
      removeTransaction: "mutation",
      revokeConsent: "mutation",
      expireConsent: "mutation",
      requireReauthorization: "mutation",
      repairConsent: "mutation",
      setFault: "mutation",
      clearFaults: "mutation",
    },
    cards: {
      authorize: "mutation",
      increment: "mutation",
      reverse: "mutation",
      expire: "mutation",
      clear: "mutation",
      refund: "mutation",
    },
    billing: {
      advance: "mutation",
      replaceCard: "mutation",
    },
  },
} as const;
