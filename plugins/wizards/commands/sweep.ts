import { type CommandContext, usage, withApp } from "framewright/generators";
import type { SweepReport } from "../index.ts";

const environments = ["development", "test", "production"];

/** Sweeps the runs of wizards in a booted application that does not listen. */
export default async function wizards({ options: { env, json } }: CommandContext): Promise<void> {
  if (env !== undefined && !environments.includes(String(env)))
    throw usage.FW_FLAG_CHOICE("--env", String(env), environments);
  await withApp(env === undefined ? {} : { env: String(env) }, async (app) => {
    const report = await app.kernel.service("wizards", "fw wizards:sweep").engine.sweep();
    console.log(json ? JSON.stringify(report, null, 2) : reportText(report));
  });
}

function reportText({ unstarted, expired, recovered, completed, events }: SweepReport): string {
  const removed = `deleted ${unstarted} unstarted, ${expired} expired and ${completed} completed runs, and ${events} old events`;
  return `${removed}; reopened ${recovered} abandoned runs`;
}
