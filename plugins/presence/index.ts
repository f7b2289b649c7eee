import { join } from "node:path";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import type { AnyRecord } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import { errors } from "./errors.ts";
import { presenceMacro } from "./kept.ts";
import { Presence } from "./presence.ts";
import { PresenceStore } from "./store.ts";

declare module "framewright/kernel" {
  interface Slots {
    presence: {};
  }
}
declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** Whether forms show who else has them open; `this.presence(false)` for not. */
    presence(isShown: boolean): void;
  }
}

/** Options of `presence()`. */
export interface PresenceOptions {
  /** Seconds after which a form of a browser that was ended counts as closed, 60 by default; open ones report themselves thrice as often. */
  closedAfter?: number;
}

const SWEEP_MS = 10 * 60_000;

/** The form of a record shows who else has it open, and since when; from a table of `fw:install presence`. */
export function presence({ closedAfter = 60, ...rest }: PresenceOptions = {}): Plugin {
  checkOptions("presence", { closedAfter, ...rest }, { closedAfter: option.positive });
  return definePlugin({
    name: "presence",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "resources"],
    provides: "presence",
    apply({ services: { host, database, views, assets, resources }, hooks, tap }) {
      const store = new PresenceStore(database, closedAfter * 1000);
      const forms = new Presence(store, assets, closedAfter / 3);
      assets.add("presence.js", join(import.meta.dirname, "client/presence.js"));
      resources.registry.definitionMacros.define("presence", "presence", presenceMacro);
      hooks.resources.place.tap("presence", ({ member, through, draw }) => {
        if (through) return;
        const answer = forms.answer.bind(forms);
        draw("POST", `${member}/presence`, { action: "edit", policy: "canEdit", answer });
      });
      tap(hooks.resources.authorize, (action, controller) => (action === "edit" ? forms.open(controller) : undefined));
      views.slots.add("form.before_fields", (_, controller: ResourceController) => forms.draw(controller));
      hooks.resources.record.tapPromise("presence", async ({ kind, record, controller }) => {
        if (kind !== "created") await forms.close(controller, record);
      });
      hooks.host.examine.tapPromise("presence", async (findings) => {
        const ok = await store.isInstalled().catch(() => true); // the database reports itself
        findings.push({ what: "presence", ok, detail: ok ? "its table is there" : errors.FW_PRESENCE_TABLE().message });
      });
      hooks.personal_data?.sources.tap("presence", (sources) =>
        sources.table({ name: "presence", table: "framewright_presence", erase: "delete" }),
      );
      host.periodic.add(SWEEP_MS, () => store.sweep());
    },
  });
}
