import { join } from "node:path";
import { AsyncSeriesHook, definePlugin, option } from "framewright/kernel";
import type {} from "framewright/plugins/database";
import type {} from "framewright/plugins/i18n";
import type {} from "framewright/plugins/resources";
import type { UndoHooks } from "framewright/plugins/undo";
import type {} from "framewright/plugins/views";
import { Deletions } from "./deletions.ts";
import { Keeper } from "./keep.ts";
import { Pages } from "./pages.ts";

const HOUR_MS = 3_600_000;

/** People restore what they deleted for 30 days, in place of `undo()`: `longUndo({ days: 90 })` in plugins.config.ts. */
export const longUndo = definePlugin({
  name: "fw-long-undo",
  framewright: "^0.1",
  // The package itself: its views/, locales/ and migrate/ are found there.
  directory: join(import.meta.dirname, ".."),
  options: {
    /** Days for which deleted records are kept; 30 by default. */
    days: option.number,
  },
  requires: ["host", "database", "i18n", "views", "resources"],
  provides: "undo",
  replaces: true,
  hooks: (): UndoHooks => ({ restored: new AsyncSeriesHook(["restored"]) }),
  apply({ services: { host, database }, hooks, tap, options: { days = 30 } }) {
    const deletions = new Deletions(database, days);
    const keeper = new Keeper(database, deletions, days);
    const pages = new Pages(database, deletions, hooks.undo.restored);
    tap(hooks.resources.destroying, (destroying) => keeper.keep(destroying));
    tap(hooks.resources.destroyQuestion, (records, controller) => keeper.question(records, controller));
    tap(hooks.resources.destroyed, (ids, controller) => keeper.notice(ids, controller));
    tap(hooks.resources.place, (place) => pages.draw(place));
    tap(hooks.resources.listHead, ({ controller, menu }) => void menu.push(...pages.button(controller)));
    host.periodic.add(HOUR_MS, () => deletions.sweep());
    return deletions;
  },
});
