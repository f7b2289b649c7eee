import type {} from "framewright/host";
import { definePlugin, env, messageOf, option } from "framewright/kernel";
import type {} from "framewright/plugins/database";
import type {} from "framewright/plugins/jobs";
import type {} from "framewright/plugins/passwords";
import { WorkerMetrics } from "./all_workers.ts";
import type {} from "./contract.ts";
import { Endpoint } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { MetricsServer } from "./metrics_server.ts";
import { observeEvents } from "./observed_metrics.ts";
import { addGauges } from "./sampled_metrics.ts";

export type { Metrics } from "./contract.ts";

/** What keeps guesses out: 16 random characters of 64 have 96 bits. */
const MIN_TOKEN_CHARS = 16;

/**
 * Metrics in Prometheus' format, by prom-client: requests by route, statements, pool, jobs, event loop, heap. They are
 * answered at `path` with `METRICS_TOKEN`, or on `METRICS_PORT`, which listens on this machine alone unless
 * `METRICS_HOST` sets another address; without either the application does not boot.
 * @example definePlugins([…, metrics({ path: "/metrics" })])
 */
export const metrics = definePlugin({
  name: "metrics",
  options: { path: option.string },
  env: {
    METRICS_TOKEN: env.string({ optional: true }),
    METRICS_PORT: env.integer({ optional: true }),
    METRICS_HOST: env.string({ default: "127.0.0.1" }),
  },
  requires: ["host"],
  uses: ["database", "jobs", "passwordHasher"],
  provides: "metrics",
  async apply({ services, hooks, tap, options, env: { METRICS_TOKEN, METRICS_PORT, METRICS_HOST }, onClose }) {
    const { path = "/metrics" } = options;
    checkClosed(path, METRICS_TOKEN, METRICS_PORT);
    const client = await loadClient();
    const registry = new client.Registry();
    client.collectDefaultMetrics({ register: registry });
    tap(hooks.host.observe, observeEvents(client, registry));
    addGauges(client, registry, services);
    const workers = new WorkerMetrics(client, registry);
    onClose(() => workers.close());
    const endpoint = new Endpoint({
      path,
      token: METRICS_TOKEN,
      text: () => workers.text(),
      type: registry.contentType,
    });
    const server = new MetricsServer(endpoint, services.host.log);
    if (METRICS_PORT !== undefined) {
      tap(hooks.host.listening, () => server.listen(METRICS_PORT, METRICS_HOST));
      onClose(() => server.close());
    } else hooks.host.request.tapPromise("metrics", async (request) => endpoint.answer(request));
    return {
      registry,
      get port() {
        return server.port;
      },
      text: () => workers.text(),
    };
  },
});

/** @throws FW_METRICS_PATH, FW_METRICS_OPEN, FW_METRICS_TOKEN */
function checkClosed(path: string, token: string | undefined, port: number | undefined): void {
  if (!/^\/[\w/.-]+$/.test(path)) throw errors.FW_METRICS_PATH(path);
  if (token === undefined && port === undefined) throw errors.FW_METRICS_OPEN();
  if (token !== undefined && token.length < MIN_TOKEN_CHARS) throw errors.FW_METRICS_TOKEN(MIN_TOKEN_CHARS);
}

/** An application brings the package itself: one without metrics does not install it. @throws FW_METRICS_CLIENT */
async function loadClient() {
  try {
    return await import("prom-client");
  } catch (error) {
    throw errors.FW_METRICS_CLIENT(messageOf(error));
  }
}
