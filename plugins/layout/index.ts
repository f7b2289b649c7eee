import { join } from "node:path";
import { html, raw } from "framewright/host";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import type { Assets } from "framewright/plugins/assets";
import { addCatalogues } from "framewright/plugins/i18n";
import { withFilterHints } from "framewright/plugins/views";
import { applicationNameText } from "./application_name.ts";
import { chooseLayout } from "./choose_layout.ts";
import type { LayoutChoice } from "./contract.ts";
import { Head } from "./head.ts";

export { chooseLayout } from "./choose_layout.ts";
export type { Layout, LayoutChoice } from "./contract.ts";
export { Head, type HeadElements } from "./head.ts";

/** Taps of `hooks.kernel.layout`: `standard` runs last and always returns a layout; tap any other stage to run before it. */
export const layoutStage = { default: 0, standard: 1000 } as const;

/** Options of `layout()`. */
export interface LayoutOptions {
  /** The layout of a portal's pages. */
  portal?: string;
  /** The layout of the main application's pages. */
  main?: string;
}

/** The layout of a page: `resource` with navigation, `basic` without, any of the application's, none in a Turbo frame. */
export function layout({ portal = "resource", main = "basic", ...rest }: LayoutOptions = {}) {
  checkOptions("layout", { portal, main, ...rest }, { portal: option.string, main: option.string });
  return definePlugin({
    name: "layout",
    requires: ["views", "assets", "i18n"],
    provides: "layout",
    apply({ services, hooks, settings, registrant }) {
      const head = new Head(registrant);
      hooks.host?.page.tap("layout", (locals, controller) => {
        if (!head.isEmpty && controller.request.frame === undefined) locals.head = head.render(controller, locals.head);
      });
      services.views.addRoot({ directory: join(import.meta.dirname, "views"), rank: "framework" });
      addCatalogues(services.i18n, join(import.meta.dirname, "locales"));
      services.i18n.add("en", applicationNameText(settings.root)); // before the application's own texts, which override it
      joinAssets(services.assets);
      services.assets.add("site.css", join(import.meta.dirname, "client/site.css"));
      services.assets.add("framewright.svg", join(import.meta.dirname, "icon.svg"));
      const assetUrl = (name: unknown) => services.assets.url(String(name));
      const isFixed = settings.env === "production"; // files change in development alone
      services.views.addFilter("asset_url", isFixed ? withFilterHints(assetUrl, { pure: true }) : assetUrl);
      const choose = (page: LayoutChoice) => chooseLayout(page, { portal, main });
      hooks.kernel.layout.tap({ name: "layout", stage: layoutStage.standard }, ({ frame, engine }) =>
        choose({ frame, host: engine === undefined ? "main" : "portal" }),
      );
      return {
        choose,
        head,
        frame: (id, content) =>
          html`<turbo-frame id="${id}">${typeof content === "string" ? raw(content) : content}</turbo-frame>`,
      };
    },
  });
}

/** What all pages load, in one style sheet, for each direction of writing, and one script. */
function joinAssets(assets: Assets): void {
  for (const direction of ["", "-rtl"])
    assets.join(`pages${direction}.css`, [`tabler${direction}.css`, "tom-select.css", "framewright.css"]);
  assets.join("pages.js", ["turbo.js", "tom-select.js", "framewright.js"]);
}
