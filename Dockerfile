# airank-warehouse: the scheduler by default, any other command by its arguments.
# Built in stages, so that the image holds neither the compiler nor the embedded Postgres.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json ./
# --ignore-scripts: no package runs code of its own here, and npm would build before the sources are in.
RUN npm ci --ignore-scripts
COPY src ./src
COPY jobs ./jobs
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    AIRANK_LOG_FORMAT=json \
    AIRANK_LOG_LEVEL=info \
    AIRANK_HTTP_PORT=9464
WORKDIR /app
# Owned by root and only read by the user below.
COPY package.json LICENSE ./
COPY sql ./sql
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# A volume that is mounted here takes on its owner. Reports of jobs go there where AIRANK_DATA_DIR says so.
RUN install --directory --owner=node --group=node /data
# airank.config.yaml, key files and jobs of your own go here.
WORKDIR /config
USER node
# The exec form: Node is process 1 and gets SIGTERM itself.
ENTRYPOINT ["node", "/app/dist/src/start.js"]
CMD ["schedule"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.AIRANK_HTTP_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
