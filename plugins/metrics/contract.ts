import type { Registry } from "prom-client";

declare module "framewright/kernel" {
  interface Slots {
    metrics: { service: Metrics };
  }
}

/** The slot's service: what is measured, and the text that a scrape gets. */
export interface Metrics {
  /** The registry of prom-client: `new Counter({ name, help, registers: [services.metrics.registry] })` adds a metric of one's own. */
  readonly registry: Registry;
  /** The port that is scraped, once the server listens; undefined where the application itself answers. */
  readonly port: number | undefined;
  /** All metrics in Prometheus' format; of all workers where a supervisor runs several. @throws HttpError 503 when it doesn't answer in time */
  text(): Promise<string>;
}
