import { join } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import { predicatesOf, printPageMacro, printPagesOf } from "./print_pages.ts";
import { showPrintPage } from "./show_page.ts";

export type { PrintPageOptions } from "./print_pages.ts";

declare module "framewright/kernel" {
  interface Slots {
    printing: {};
  }
}

/** Pages of records for paper: `this.printPage("permit")` of a definition. */
export function printing(): Plugin {
  return definePlugin({
    name: "printing",
    directory: import.meta.dirname,
    requires: ["host", "i18n", "views", "assets", "layout", "resources"],
    provides: "printing",
    apply({ services: { assets, resources }, hooks }) {
      assets.add("printing.css", join(import.meta.dirname, "client/printing.css"));
      assets.add("printing.js", join(import.meta.dirname, "client/printing.js"));
      resources.registry.definitionMacros.define("printing", "printPage", printPageMacro);
      hooks.resources.place.tap("printing", ({ about, member, draw }) => {
        const pages = printPagesOf(about.registration.definition);
        if (pages.size > 0)
          draw("GET", `${member}/print/:print_key`, { action: showPrintPage, policy: predicatesOf(pages) });
      });
    },
  });
}
