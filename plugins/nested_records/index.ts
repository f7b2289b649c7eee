import type { ApplicationContext } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/openapi";
import { declares } from "./declarations.ts";
import { describeRows } from "./describe_rows.ts";
import { answerRowChoices, hasSearched, searchPath } from "./documents/search.ts";
import { checkRegistered } from "./records/record_rows.ts";
import { keyValueType, rowsType } from "./rows_type.ts";
import { settle } from "./settle.ts";

export type {
  GroupOptions,
  RowsOptions,
  VirtualInput,
  VirtualOptions,
  VirtualValue,
} from "./declarations.ts";
export type {} from "./macros.ts";
export { virtualValues } from "./virtual.ts";

declare module "framewright/kernel" {
  interface Slots {
    nested_records: {};
  }
}

/** Rows and groups within a record's form: `this.repeated("lines", …)`, `this.fieldGroup("address", …)`, `this.virtual("note", …)`. */
export function nestedRecords(): Plugin {
  return definePlugin({
    name: "nested_records",
    directory: import.meta.dirname,
    requires: ["database", "i18n", "resources"],
    provides: "nested_records",
    apply({ services: { resources }, hooks }) {
      const { definitionMacros } = resources.registry;
      definitionMacros.define("nested_records", "repeated", declares("repeated"));
      definitionMacros.define("nested_records", "fieldGroup", declares("fieldGroup"));
      definitionMacros.define("nested_records", "virtual", declares("virtual"));
      resources.fieldTypes.add("rows", rowsType);
      resources.fieldTypes.add("key_value", keyValueType);
      hooks.resources.define.tap("nested_records", (definition, place) =>
        settle(definition, place, resources.fieldTypes),
      );
      hooks.resources.place.tap("nested_records", ({ about, base, draw }) => {
        if (!hasSearched(about.registration.definition)) return;
        draw("GET", searchPath(base), { action: answerRowChoices, policy: "canRead" });
      });
      if (hooks.openapi) describeRows(hooks.openapi.schema);
      let application: ApplicationContext | undefined;
      hooks.host?.loaded.tap("nested_records", (loaded) => {
        application = loaded;
      });
      // A generator connects what is missing, and the types are what its code is written with.
      hooks.resources.portal.tap("nested_records", () => {
        if (!application?.anyColumns) checkRegistered(resources.registry);
      });
    },
  });
}
