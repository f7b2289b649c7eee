import type { Application, CloseOptions } from "framewright/host";
import type { Plugin, Settings } from "framewright/kernel";
import type {} from "framewright/plugins/inspector";
import { usage } from "../errors.ts";
import { applicationRoot, type OpenOptions, openApp } from "../support/load_app.ts";
import { announceServing, standBy } from "../support/standby.ts";
import { followSupervisor, isWorker } from "../workers/worker.ts";
import type { CommandContext } from "./command.ts";

/** Serves the application's source until the process is stopped. */
export default async function serve({ options }: CommandContext): Promise<void> {
  await standBy(applicationRoot());
  await serveApplication(options.port);
}

export async function serveApplication(port: unknown, options: Omit<OpenOptions, "root"> = {}): Promise<void> {
  const wantedPort = portOf(port);
  const root = applicationRoot();
  const app = await openApp({ root, ...options, extraPlugins: developmentPlugins });
  const stop = stopOnSignals((how) => app.close(how));
  const { url, port: taken } = await app.listen(wantedPort);
  announceServing(() => stop());
  const { env, host, worker, basePath } = app.settings;
  if (isWorker()) followSupervisor(url, () => stop({ drain: true }));
  else console.log(`${url}${basePath} (${env})`);
  if (worker.index > 1) return;
  const inspector = app.kernel.has("inspector") ? app.kernel.service("inspector", "fw").path : undefined;
  if (inspector !== undefined)
    console.log(`Requests: ${isLoopback(host) ? url : `http://127.0.0.1:${taken}`}${inspector}`);
  if (env === "production" && isLoopback(host))
    console.log(`only this machine can connect (for example a proxy on it); set HOST=0.0.0.0 to accept others`);
  await printPending(app);
}

/** What development adds to the plugins that the application lists; FW_INSPECTOR=off leaves it out. */
async function developmentPlugins({ env, values }: Settings, listed: readonly Plugin[]): Promise<readonly Plugin[]> {
  if (env !== "development" || values.FW_INSPECTOR === "off" || listed.some(({ name }) => name === "inspector"))
    return [];
  const { inspector } = await import("framewright/plugins/inspector");
  return [inspector()];
}

/** Ignores database errors, which are reported elsewhere. */
async function printPending(app: Application): Promise<void> {
  if (!app.kernel.has("database")) return;
  const names = await app.kernel
    .service("database", "fw")
    .migrations.pending()
    .catch(() => []);
  if (names.length === 0) return;
  const until = app.allowPending ? "" : "; /readyz answers 503 until then";
  console.log(`migrations have not run: ${names.join(", ")}. Run fw db:migrate${until}`);
}

const isLoopback = (host: string) => /^127\.|^::1$|^localhost$/.test(host);

export function portOf(port: unknown): number | undefined {
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(String(port)) || Number(port) > 65_535)
    throw usage.FW_FLAG_VALUE("--port", "a number from 0 to 65535");
  return Number(port);
}

/**
 * Finishes requests in flight; a third signal (npm and service managers send two), or 30 s, ends the process anyway.
 * Returns what a signal does, for a worker that has to end on a message.
 */
function stopOnSignals(close: (how?: CloseOptions) => Promise<void>): (how?: CloseOptions) => void {
  let signals = 0;
  let isStopping = false;
  const stop = (how?: CloseOptions) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), how?.drain ? 38_000 : 30_000).unref();
    close(how).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  const onSignal = (signal: NodeJS.Signals) => {
    signals++;
    if (signals === 3) process.exit(signal === "SIGINT" ? 130 : 143);
    stop();
  };
  process.on("SIGTERM", onSignal);
  if (!isWorker()) process.on("SIGINT", onSignal);
  return stop;
}
