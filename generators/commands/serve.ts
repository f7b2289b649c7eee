import { usage } from "../errors.ts";
import { applicationRoot, openApp } from "../load_app.ts";
import type { CommandContext } from "./index.ts";

/** Serves the application's source until the process is told to stop. */
export default async function serve({ options }: CommandContext): Promise<void> {
  await serveApplication(options.port, false);
}

export async function serveApplication(port: unknown, built: boolean): Promise<void> {
  const asked = portOf(port);
  const app = await openApp({ root: applicationRoot(), built });
  stopOnSignals(() => app.close());
  const { url } = await app.listen(asked);
  console.log(`${url} (${app.settings.env})`);
}

export function portOf(port: unknown): number | undefined {
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(String(port)) || Number(port) > 65_535)
    throw usage.FW_FLAG_VALUE("--port", "a number from 0 to 65535");
  return Number(port);
}

/** What is in flight finishes; a second signal, or half a minute, ends the process all the same. */
function stopOnSignals(close: () => Promise<void>): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(signal === "SIGINT" ? 130 : 143);
    stopping = true;
    setTimeout(() => process.exit(1), 30_000).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
