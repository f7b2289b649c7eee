import { join } from "node:path";
import { type BaseController, html, type Reply } from "framewright/host";
import { definePlugin, type Plugin, stage } from "framewright/kernel";
import type { ResourceController } from "framewright/plugins/resources";
import { saveListSettings } from "./answers.ts";
import { displayForm, isFormDrawn } from "./display_form.ts";
import { errors } from "./errors.ts";
import { answerLastView, isListShown, listMeta, noteList } from "./last_view.ts";
import { forget } from "./people.ts";
import { listSettingsOf, readSettings, SETTINGS, settingsRead } from "./settings_of_list.ts";
import { ListSettingsStore } from "./store.ts";
import { noteColumns, sizedHeaders } from "./widths.ts";

declare module "framewright/kernel" {
  interface Slots {
    list_settings: { service: ListSettings };
  }
}
declare module "framewright/plugins/resources" {
  interface ResourceRequest {
    /** Stores how the person has the list: its last view, widths and density. */
    saveListSettings(): Promise<Reply>;
  }
}

/** The service of the slot "list_settings". */
export interface ListSettings {
  readonly store: Pick<ListSettingsStore, keyof ListSettingsStore>;
  /** Where the person's density of a list is stored, and which it is; undefined where the browser stores it. Read before by `read`. */
  density(controller: BaseController): { readonly path: string; readonly isCompact: boolean | undefined } | undefined;
  /** Reads how the person left the list of a request. */
  read(controller: ResourceController): Promise<unknown>;
  /** Removes what is stored of a person, whose account was deleted by code: `await settings.forget(user)`. */
  forget(person: object): Promise<void>;
}

/** Widths of columns and the last view of each list, stored for each person in a table of `fw:install list_settings`. */
export function listSettings(): Plugin {
  return definePlugin({
    name: "list_settings",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "layout", "portals", "resources"],
    provides: "list_settings",
    apply({ services: { host, database, assets, layout, resources }, hooks }) {
      const store = new ListSettingsStore(database);
      assets.add("list_settings.css", join(import.meta.dirname, "client/list_settings.css"));
      assets.add("list_settings.js", join(import.meta.dirname, "client/list_settings.js"));
      layout.head.add((controller) => {
        const meta = listMeta(controller);
        if (!meta && !isFormDrawn(controller)) return undefined;
        return html`${meta}<link rel="stylesheet" href="${assets.url("list_settings.css")}"><script src="${assets.url("list_settings.js")}" defer></script>`;
      });
      resources.addActions({ saveListSettings });
      hooks.resources.place.tap("list_settings", ({ about, base, single, draw }) => {
        if (single || about.parent) return;
        draw("POST", base + SETTINGS, { action: "saveListSettings", policy: "canIndex" });
      });
      hooks.resources.listOpening.tapPromise({ name: "list_settings", stage: stage.early }, answerLastView);
      hooks.resources.listHead.tapPromise({ name: "list_settings", stage: stage.late }, noteList);
      hooks.resources.listRows.tap("list_settings", noteColumns);
      hooks.resources.table.tap("list_settings", (look, controller) => {
        const change = sizedHeaders(controller);
        if (change) look.changeHeaders = change;
      });
      hooks.resources.filterPanel.tapPromise("list_settings", async (parts, location, controller) => {
        const form = await displayForm(controller, location);
        if (form) parts.push(form);
      });
      hooks.resources.record.tapPromise("list_settings", async ({ kind, record }) => {
        if (kind === "destroyed") await forget(host, store, record);
      });
      hooks.auth?.account.tapPromise("list_settings", async ({ name, type, accountId }) => {
        if (name === "closed" && accountId !== undefined) await store.removePerson(String(accountId), [type]);
      });
      hooks.personal_data?.sources.tap("list_settings", (sources) =>
        sources.table({
          name: "list_settings",
          table: "framewright_list_settings",
          shown: ["resource", "portal", "tenant", "query", "density", "widths", "updated_at"],
          erase: "delete",
        }),
      );
      hooks.host.examine.tapPromise("list_settings", async (findings) => {
        if (!(await store.exists()))
          findings.push({ what: "list settings", ok: false, detail: errors.FW_LIST_SETTINGS_TABLE().message });
      });
      return {
        store,
        density(controller) {
          const list = controller as ResourceController;
          const isKept = "registration" in list && listSettingsOf(list) !== undefined;
          if (!isKept || !(isListShown(list) || list.actionName === "listOptions")) return undefined;
          const stored = settingsRead(list)?.density;
          return { path: list.listUrl + SETTINGS, isCompact: stored && stored === "compact" };
        },
        read: (controller) => readSettings(controller),
        forget: (person) => forget(host, store, person),
      };
    },
  });
}
