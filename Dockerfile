# syntax=docker/dockerfile:1

# Builds and bundles. Only the finished files leave this stage.
FROM node:24.21.0-slim AS build
WORKDIR /src
# The lockfile's dependencies, in a layer that is rebuilt only when the lockfile changes.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches ./patches
RUN npx --yes pnpm@12.21.0 fetch
COPY . .
RUN npx --yes pnpm@12.21.0 install --frozen-lockfile --offline \
 && npx --yes pnpm@12.21.0 exec node apps/server/build.ts

FROM node:24.21.0-slim
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/compile-cache
WORKDIR /app
# JavaScript with all dependencies bundled, the migrations, the pages and the operators' commands:
# docker exec <container> node dist/purser.js --help
COPY --from=build /src/apps/server/dist ./dist
RUN mkdir compile-cache && chown node compile-cache
USER node
# Keeps what V8 compiles, because without its database a start ends once all modules are loaded. The cache is for this user and
# kind of processor. Others compile as they start.
RUN NODE_ENV=development DATA_DIR=/tmp/none DATABASE_URL=postgres://127.0.0.1:1/none node dist/main.js 2>/dev/null; test -n "$(ls compile-cache)" && chmod -R a-w compile-cache
EXPOSE 3000
# A start listens once the database is migrated, which takes minutes if a table is large or in use.
HEALTHCHECK --interval=10s --timeout=3s --start-period=15m --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# On SIGTERM the process answers open requests before it exits.
CMD ["node", "dist/main.js"]
