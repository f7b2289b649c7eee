import { availableParallelism } from "node:os";
import { openLog, readSettings } from "framewright/host";
import { usage } from "../errors.ts";
import { Supervisor } from "./supervisor.ts";

const MOST = 512;

/** How many processes `--workers` sets: one unless it is given, `auto` for one a core. @throws FW_FLAG_VALUE */
export function workersOf(option: unknown): number {
  if (option === undefined) return 1;
  if (option === "auto") return availableParallelism();
  const count = Number(option);
  if (/^\d+$/.test(String(option)) && count >= 1 && count <= MOST) return count;
  throw usage.FW_FLAG_VALUE("--workers", `auto, or a number from 1 to ${MOST}`);
}

/**
 * Keeps that many processes of this command serving, and returns when they have ended. SIGTERM and SIGINT end them, SIGHUP replaces them one by
 * one. @throws FW_WORKER_BOOT
 */
export async function supervise(root: string, count: number): Promise<never> {
  const settings = readSettings({ root });
  const supervisor = new Supervisor(count, openLog(settings));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void supervisor.stop(signal));
  process.on("SIGHUP", () => void supervisor.reload());
  const url = await supervisor.start();
  if (url !== undefined) console.log(`${url} (${settings.env}), ${count} workers`);
  process.exit(await supervisor.ended);
}
