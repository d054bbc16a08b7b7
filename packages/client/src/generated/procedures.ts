// Generated from the router's contracts by `pnpm generate`; edit those.

export const procedures = {
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
} as const;
