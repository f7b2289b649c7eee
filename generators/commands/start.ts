import { existsSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../errors.ts";
import { optimizeSooner } from "../support/compiler.ts";
import { applicationRoot } from "../support/load_app.ts";
import { supervise, workersOf } from "../workers/index.ts";
import { isWorker } from "../workers/worker.ts";
import type { CommandContext } from "./command.ts";
import { serveApplication } from "./serve.ts";

/** Serves the application that `fw build` compiled, in one process or several. The environment is production unless NODE_ENV is set. */
export default async function start({ options }: CommandContext): Promise<void> {
  process.env.NODE_ENV ??= "production";
  const root = applicationRoot();
  if (!existsSync(join(root, "dist", "plugins.config.js"))) throw errors.FW_BUILD_MISSING(join(root, "dist"));
  const workers = workersOf(options.workers);
  if (workers > 1 && !isWorker()) return supervise(root, workers);
  optimizeSooner();
  const allowPending = options.allowPending === true ? { allowPending: true } : {};
  await serveApplication(options.port, { built: true, ...allowPending });
}
