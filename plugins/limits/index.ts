import { openDigests } from "framewright/host";
import { checkOptions, definePlugin, messageOf, option, type Plugin } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import { errors } from "./errors.ts";
import { memoryLimits } from "./memory_limits.ts";
import { RowLimits } from "./row_limits.ts";
import { TABLE } from "./row_store.ts";

export type { Limiter, LimitRule, Limits } from "./contract.ts";
export { memoryLimits } from "./memory_limits.ts";

/** Options of `limits()`. */
export interface LimitsOptions {
  /** Where attempts are counted: by default in rows where the application has a database, else in memory, for each process. */
  store?: "database" | "memory";
}
const SWEEP_INTERVAL_MS = 600_000;
/** Rows are retained a little longer than they count: the clocks of processes differ. */
const SWEEP_AGE_MS = 60_000;

/** Counts of attempts, for all processes of an application together. */
export function limits(options: LimitsOptions = {}): Plugin {
  checkOptions("limits", options, { store: option.oneOf("database", "memory") });
  return definePlugin({
    name: "limits",
    uses: ["host", "database"],
    provides: "limits",
    apply({ services: { host, database }, settings, hooks }) {
      if (options.store === "database" && !database) throw errors.FW_LIMITS_DATABASE();
      if (options.store === "memory" || !database) return memoryLimits();
      let isWarned = false;
      const missing = () => {
        if (!isWarned) host?.log.error(errors.FW_LIMITS_TABLE().message);
        isWarned = true;
      };
      const { digest } = openDigests(settings, "limits");
      const rows = new RowLimits({ database, digest, fallback: memoryLimits(), missing });
      const lacksTable = async () => rows.names.size > 0 && !(await hasTable(database));
      hooks.host?.examine.tapPromise("limits", async (findings) => {
        const isMissing = await lacksTable().catch(() => false); // the database reports itself
        const detail = isMissing ? errors.FW_LIMITS_TABLE().message : "counted in rows, for all processes";
        findings.push({ what: "limits", ok: !isMissing, detail });
      });
      const warnOfTable = async () => void ((await lacksTable()) && missing());
      const sweep = async () => {
        if (await hasTable(database)) await rows.store.sweep(Date.now() - SWEEP_AGE_MS);
      };
      const log = (error: unknown) => host?.log.warn(`limits: ${messageOf(error)}`);
      hooks.host?.listening.tap("limits", () => void warnOfTable().catch(log));
      host?.periodic.add(SWEEP_INTERVAL_MS, sweep);
      return rows;
    },
  });
}

const hasTable = async (database: Database): Promise<boolean> => (await database.tables()).includes(TABLE);
