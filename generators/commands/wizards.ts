import type { SweepReport } from "framewright/plugins/wizards";
import { usage } from "../errors.ts";
import { withApp } from "../support/load_app.ts";
import type { CommandContext } from "./index.ts";

const known = ["development", "test", "production"];

/** Removes what nobody needs any more of wizards' runs, in an application that is booted and does not listen. */
export default async function wizards({ options: { env, json } }: CommandContext): Promise<void> {
  if (env !== undefined && !known.includes(String(env))) throw usage.FW_FLAG_CHOICE("--env", String(env), known);
  await withApp(env === undefined ? {} : { env: String(env) }, async (app) => {
    const report = await app.kernel.service("wizards", "fw wizards:sweep").engine.sweep();
    console.log(json ? JSON.stringify(report, null, 2) : sentence(report));
  });
}

function sentence({ unstarted, expired, recovered, completed, events }: SweepReport): string {
  const removed = `removed ${unstarted} never begun, ${expired} expired and ${completed} completed runs, and ${events} old events`;
  return `${removed}; opened ${recovered} again that were left behind`;
}
