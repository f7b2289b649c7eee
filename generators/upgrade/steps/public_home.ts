import { addNamedImports } from "../../support/imports.ts";
import type { UpgradeStep } from "../upgrade.ts";

const FILE = "app/controllers/home_controller.ts";
/** As `fw new` wrote it before controllers without authentication refused guests. */
const generated =
  /^import BaseController from "\.\/base_controller\.ts";\s+export default class HomeController extends BaseController \{\s+async index\(\) \{\s+return this\.render\(\);\s+\}\s+\}\s*$/;

/** The first page was open to guests, and stays so. A controller that was edited is left to `fw doctor`, which names it. */
export const openHome: UpgradeStep = (upgrade) => {
  const text = upgrade.changes.read(FILE);
  if (text === undefined || !generated.test(text)) return;
  upgrade.rewrites("portals", FILE, text.indexOf("extends"), "a controller without authentication refuses guests");
  const { changes } = upgrade;
  changes.edit(FILE, (before) =>
    before.replace("extends BaseController", "extends concern(BaseController, PublicAccess)"),
  );
  addNamedImports(changes, FILE, ["concern"], "framewright");
  addNamedImports(changes, FILE, ["PublicAccess"], "framewright/plugins/portals");
};
