import { openSealer } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { describeKey } from "./describe_key.ts";
import { errors } from "./errors.ts";
import { IdempotentRequests } from "./requests.ts";
import { IdempotencyStore } from "./store.ts";

const HOUR_MS = 3_600_000;
const SWEEP_MS = HOUR_MS;
/** A request may be late by as much, and by nothing where requests have no deadline. */
const LATE_MS = 30_000;
const LEASE_WITHOUT_DEADLINE_MS = 600_000;

/** Options of `idempotency()`. */
export interface IdempotencyOptions {
  /** Hours for which a key gets the same answer; 24 by default. */
  keepHours?: number;
}

/**
 * Programs send a POST again without doing it twice: the header `Idempotency-Key` names the attempt, and the first answer is
 * sent to all of them; from a table of `fw:install idempotency`.
 */
export function idempotency({ keepHours = 24, ...rest }: IdempotencyOptions = {}): Plugin {
  checkOptions("idempotency", { keepHours, ...rest }, { keepHours: option.positive });
  return definePlugin({
    name: "idempotency",
    requires: ["host", "database", "portals", "resources"],
    apply({ services: { host, database, portals }, hooks, settings }) {
      const store = new IdempotencyStore(database, openSealer(settings.secrets, "idempotency"));
      const { deadline } = settings.limits;
      const lease = deadline > 0 ? deadline + LATE_MS : LEASE_WITHOUT_DEADLINE_MS;
      const requests = new IdempotentRequests({ store, database, lease });
      hooks.kernel.drawRoutes.tap("idempotency", () => {
        for (const portal of portals.all.keys())
          host.engines.get(portal)?.prepare.push((controller) => requests.enter(controller));
      });
      hooks.resources.authorize.tap("idempotency", (action, controller) => {
        if (action === "create") requests.create(controller);
      });
      hooks.host.settled.tapPromise("idempotency", (request, reply) => requests.settle(request, reply));
      hooks.host.examine.tapPromise("idempotency", async (findings) => {
        const ok = await store.isInstalled().catch(() => true); // the database reports itself
        const detail = ok ? "its table is there" : errors.FW_IDEMPOTENCY_TABLE().message;
        findings.push({ what: "idempotency", ok, detail });
      });
      hooks.personal_data?.sources.tap("idempotency", (sources) =>
        sources.table({ name: "idempotency", table: "framewright_idempotency", erase: "delete" }),
      );
      if (hooks.openapi) describeKey(hooks.openapi.document);
      host.periodic.add(SWEEP_MS, () => store.sweep(new Date(Date.now() - keepHours * HOUR_MS)));
    },
  });
}
