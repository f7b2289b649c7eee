import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { openShop } from "../support/shop.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/templates.md"), "utf8");
const section = (title: string) => page.slice(page.indexOf(`## ${title}`)).split("\n## ")[0]!;
const named = (title: string) => [...section(title).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);

describe("The reference of templates", (it) => {
  it("The reference of templates names every variable of a page and no unknown one", async () => {
    const found: Record<string, object> = {};
    (globalThis as { seenLocals?: (at: string, locals: object) => void }).seenLocals = (at, locals) => {
      found[at] = locals;
    };
    const app = await openShop({
      "lib/spy.ts": `import { definePlugin } from "framewright/kernel";
        export const spy = definePlugin({ name: "spy", requires: ["host", "portals", "layout"], apply({ hooks }) {
          hooks.host.page.tap({ name: "spy", stage: 1000 }, (locals, controller) => (globalThis as any).seenLocals(controller.request.path, locals)); } });`,
      "plugins.config.ts": `import { definePlugins } from "framewright/kernel";
        import { assets } from "framewright/plugins/assets"; import { database } from "framewright/plugins/database"; import { i18n } from "framewright/plugins/i18n";
        import { layout } from "framewright/plugins/layout"; import { portals } from "framewright/plugins/portals"; import { resources } from "framewright/plugins/resources";
        import { sessions } from "framewright/plugins/sessions"; import { views } from "framewright/plugins/views"; import { spy } from "./lib/spy.ts";
        export default definePlugins([database(), i18n(), sessions(), views(), assets(), layout(), portals(), resources(), spy]);`,
    });
    assert.is((await app.request("/admin")).status, 200);
    await app.close();
    const locals = found["/admin"] ?? {};
    const everywhere = named("Variables of every page");
    for (const name of everywhere) assert.ok(name in locals, `${name} is no variable of a page`);
    const known = [...everywhere, ...named("Variables of pages in a portal")];
    for (const name of Object.keys(locals))
      assert.ok(known.includes(name), `docs/reference/templates.md does not name ${name}`);
  });
});
