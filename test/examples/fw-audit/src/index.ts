import { join } from "node:path";
import type {} from "framewright/generators";
import { AsyncSeriesHook, definePlugin, env, option, suggest } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import type {} from "framewright/plugins/i18n";
import type {} from "framewright/plugins/jobs";
import type {} from "framewright/plugins/portals";
import type {} from "framewright/plugins/resources";
import type {} from "framewright/plugins/scoping";
import type {} from "framewright/plugins/views";
import type { AuditHooks } from "./contract.ts";
import { errors } from "./errors.ts";
import { Lines } from "./lines.ts";
import { pages } from "./pages.ts";
import { addPanel } from "./panel.ts";
import { Recorder } from "./recorder.ts";
import { AuditService } from "./service.ts";
import { Tenants } from "./tenants.ts";
import { whoFilter } from "./who.ts";

export type { Audit, AuditChange, AuditEntry, AuditFilter, AuditHooks, AuditLine, VisibleLines } from "./contract.ts";

const plugin = definePlugin({
  name: "fw-audit",
  framewright: "^0.1",
  // The package itself: its views/, locales/ and migrate/ are found there, from src/ and from dist/.
  directory: join(import.meta.dirname, ".."),
  options: {
    /** Models whose changes are not recorded, as in `Blogging::Post`. */
    except: option.strings,
    /** Days after which lines are removed, 0 for never; 365 by default. AUDIT_KEEP_DAYS comes first. */
    keepDays: option.number,
  },
  env: { AUDIT_KEEP_DAYS: env.integer({ optional: true }) },
  requires: ["host", "database", "resources", "portals", "views", "i18n"],
  uses: ["jobs", "scoping"],
  provides: "audit",
  hooks: (): AuditHooks => ({ recorded: new AsyncSeriesHook(["entry", "transaction"]) }),
  commands: [
    {
      name: "audit:list",
      summary: "Print the last changes, of all records or those of a model",
      args: "[model] [id]",
      example: "fw audit:list Blogging::Post 3 --json",
      options: { limit: { summary: "How many, 50 by default", value: "COUNT" }, json: { summary: "Print JSON" } },
      load: () => import("./commands/list.ts"),
    },
  ],
  generators: { "audit:policy": () => import("./generators/policy.ts") },
  apply({ services, hooks, tap, options, env: { AUDIT_KEEP_DAYS } }) {
    const { host, database, resources, views, i18n, jobs, scoping } = services;
    const { except = [] } = options;
    const keepDays = AUDIT_KEEP_DAYS ?? options.keepDays ?? 365;
    const lines = new Lines(database);
    const tenants = new Tenants(database, host, scoping);
    const recorder = new Recorder(lines, tenants, () => resources);
    const audit = new AuditService({ database, resources, lines, tenants, keepDays });

    tap(hooks.database.changing, async (change) => {
      if (except.includes(change.model.constant)) return;
      const entry = await recorder.record(change);
      if (entry) await hooks.audit.recorded.promise(entry, change.transaction);
    });
    tap(hooks.resources.panels, (panels, page) => addPanel(audit, database, panels, page));
    tap(hooks.kernel.ready, () => checkModels(database, except));
    views.addFilter(
      "audit_who",
      whoFilter((key, vars) => i18n.t(key, vars)),
    );
    if (jobs && keepDays > 0) {
      jobs.define("audit:prune", async () => void (await audit.prune()));
      jobs.every("audit:prune", { cron: "30 3 * * *" });
    }
    return audit;
  },
});

/**
 * Records who changed what: `audit({ except: ["Session"], keepDays: 90 })` in plugins.config.ts, and
 * `portal.use(audit.pages({ at: "audit" }))` in the portals that show it.
 */
export const audit = Object.assign(plugin, { pages });

/** @throws AUDIT_MODEL_UNKNOWN */
function checkModels(database: Database, names: readonly string[]): void {
  const known = database.models().map(({ constant }) => constant);
  for (const name of names) if (!known.includes(name)) throw errors.AUDIT_MODEL_UNKNOWN(name, suggest(name, known));
}
