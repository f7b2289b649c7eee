import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_METRICS_OPEN: () =>
    "metrics() would be open to everybody. Set METRICS_TOKEN, which a scrape sends as Authorization: Bearer …, or METRICS_PORT, a port of its own that listens on this machine alone.",
  FW_METRICS_TOKEN: (least: number) =>
    `METRICS_TOKEN is too short to keep guesses out. Take ${least} random characters at least: openssl rand -hex 32`,
  FW_METRICS_PATH: (path: string) => `metrics({ path: "${path}" }) is no path. It begins with a slash, as in /metrics.`,
  FW_METRICS_CLIENT: (reason: string) =>
    `metrics() needs the package prom-client, and it could not be loaded: ${reason}. Install it: npm install prom-client`,
});
