import type {} from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "../contract/index.ts";
import { DatabaseStore } from "./database_store.ts";
import { tables } from "./rows.ts";

/** The standard `wizardStore`: three tables of the application's database. */
export function wizardStore(): Plugin {
  return definePlugin({
    name: "wizard store",
    requires: ["database"],
    provides: "wizardStore",
    apply({ services, hooks }) {
      const { database } = services;
      hooks.host?.examine.tapPromise("wizard store", async (findings) => {
        if (services.host?.constants.all("wizards").length === 0) return; // the application has no wizards
        const existing = await database.tables();
        const missing = tables.filter((table) => !existing.includes(table));
        const fix = "Run: npx fw generate fw:wizards:install, then npx fw db:migrate";
        const ok = missing.length === 0;
        findings.push({
          what: "wizards",
          ok,
          detail: ok ? "the tables exist" : `missing: ${missing.join(", ")}. ${fix}`,
        });
      });
      return new DatabaseStore(database);
    },
  });
}
