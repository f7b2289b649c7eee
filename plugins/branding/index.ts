import { join } from "node:path";
import type { BaseController } from "framewright/host";
import { checkOptions, definePlugin, type Plugin } from "framewright/kernel";
import { isManager } from "framewright/plugins/memberships";
import { tenantKey } from "framewright/plugins/portals";
import { errors } from "./errors.ts";
import { BrandPages, type MayBrand, type ShownBrand } from "./pages.ts";
import { BrandStore } from "./store.ts";

export type { MayBrand } from "./pages.ts";

declare module "framewright/kernel" {
  interface Slots {
    branding: {};
  }
}

/** Options of `branding()`. */
export interface BrandingOptions {
  /** Who may change how the tenant of a request looks; by default those who manage its members. */
  may?: MayBrand;
}

/** Marks what the pages of a request show of its tenant. */
const BRAND = Symbol("branding.brand");

/** Each tenant has a name, a colour and a logo of its own in the portals that are scoped to it; from a table of `fw:install branding`. */
export function branding({ may, ...rest }: BrandingOptions = {}): Plugin {
  checkOptions("branding", { may, ...rest }, { may: { expected: "a function", check: isFunction } });
  return definePlugin({
    name: "branding",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "portals", "scoping"],
    uses: ["mailer"],
    provides: "branding",
    apply({ services: { assets, host, database, portals, scoping }, hooks }) {
      assets.add("branding.css", join(import.meta.dirname, "client/branding.css"));
      const store = new BrandStore(database);
      const pages = new BrandPages(store, may ?? isManager);
      hooks.kernel.drawRoutes.tap("branding", () => {
        for (const portal of portals.all.keys()) {
          const engine = host.engines.get(portal);
          if (!engine || !scoping.ruleOf(portal)) continue;
          pages.draw(host, portal);
          engine.prepare.push(async (controller) => {
            const { request } = controller;
            if (request.format === "html") request.locals[BRAND] = await pages.shownBy(controller);
          });
        }
      });
      hooks.host.page.tap("branding", (locals, { request }: BaseController) => {
        const brand = request.locals[BRAND] as ShownBrand | undefined;
        if (brand) locals.brand = brand;
      });
      hooks.mailer?.compose.tapPromise("branding", async (look, { tenant: about, transaction }) => {
        const tenant = tenantKey(about);
        const brand = tenant === null ? undefined : await store.read(tenant, transaction);
        if (brand?.name) look.name = brand.name;
        if (brand?.accent) look.accent = brand.accent;
      });
      hooks.portals.userMenu.tap("branding", (items, controller) => {
        const url = pages.urlFor(controller);
        if (url) items.push({ label: controller.t("branding.title"), url, icon: "palette" });
      });
      hooks.host.examine.tapPromise("branding", async (findings) => {
        const ok = await store.isInstalled().catch(() => true); // the database reports itself
        findings.push({ what: "branding", ok, detail: ok ? "its table is there" : errors.FW_BRANDING_TABLE().message });
      });
    },
  });
}

const isFunction = (value: unknown): boolean => typeof value === "function";
