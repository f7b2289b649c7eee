import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const clone = join(import.meta.dirname, "../..");

/** The name of the nth resource: letters only, so that it reads the same as a table, a path and a class. */
const nameOf = (index: number): string =>
  index === 0 ? "post" : `thing${String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26))}`;
const classOf = (name: string) => name[0]!.toUpperCase() + name.slice(1);

export const tablesOf = (resources: number): string[] =>
  Array.from({ length: resources - 1 }, (_, index) => `${nameOf(index)}s`);

/** Writes an application as the compiler would have left it, with authors and so many resources in all. */
export function writeSoakApp(resources: number): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fw-soak-")));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const names = Array.from({ length: resources - 1 }, (_, index) => nameOf(index));
  const files = { ...frame, ...portal(["author", ...names]), ...author };
  for (const name of names) Object.assign(files, resource(name));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, "node_modules"));
  symlinkSync(clone, join(root, "node_modules/framewright"));
  return root;
}

const plugins = ["database", "i18n", "sessions", "views", "assets", "layout", "portals", "resources"];
const frame: Record<string, string> = {
  "package.json": `{ "type": "module" }`,
  "plugins.config.js": `import { definePlugins } from "framewright/kernel";
${plugins.map((name) => `import { ${name} } from "framewright/plugins/${name}";`).join("\n")}
export default definePlugins([${plugins.map((name) => `${name}()`).join(", ")}]);`,
  "config/routes.js": `import { drawRoutes } from "framewright"; import { AdminPortal } from "../packages/admin_portal/lib/engine.js";
export default drawRoutes((routes) => {
  for (let index = 0; index < Number(process.env.SOAK_ROUTES ?? 0); index++) routes.get("place" + index + "/:id/view", { to: "places#show" });
  routes.mount(AdminPortal, { at: "/admin" });
});`,
  "app/controllers/places_controller.js": `import { BaseController } from "framewright";
export default class PlacesController extends BaseController { static guests = "admit"; show() { return this.json({ id: this.params.string("id") }); } }`,
};
const author: Record<string, string> = {
  "app/models/author.js": `import { hasMany, Model } from "framewright/plugins/database";
export default class Author extends Model("authors") { static associations = { posts: hasMany() }; }`,
  "app/policies/author_policy.js": `import { Policy } from "framewright/plugins/resources";
export default class AuthorPolicy extends Policy { canRead() { return true; } permittedAttributesForRead() { return ["name"]; } }`,
};

function portal(names: readonly string[]): Record<string, string> {
  const folder = "packages/admin_portal";
  const controllers = `${folder}/app/controllers/admin_portal`;
  return {
    [`${folder}/lib/engine.js`]: `import { definePortal } from "framewright/plugins/portals"; export const AdminPortal = definePortal("AdminPortal");`,
    [`${folder}/config/routes.js`]: `import { AdminPortal } from "../lib/engine.js";
${names.map((name) => `import ${classOf(name)} from "../../../app/models/${name}.js";`).join("\n")}
export default AdminPortal.routes.draw((routes) => { for (const model of [${names.map(classOf).join(", ")}]) routes.registerResource(model); });`,
    [`${controllers}/concerns/controller.js`]: `import { concern } from "framewright"; import { CurrentUser, PortalController } from "framewright/plugins/portals";
export default (Base) => concern(Base, PortalController, CurrentUser(async () => ({ name: "Somebody" })));`,
    [`${controllers}/resource_controller.js`]: `import { ResourceController as Base } from "framewright/plugins/resources"; import Controller from "./concerns/controller.js";
export default class ResourceController extends Controller(Base) {}`,
  };
}

const resource = (name: string): Record<string, string> => ({
  [`app/models/${name}.js`]: `import { belongsTo, Model } from "framewright/plugins/database";
export default class ${classOf(name)} extends Model("${name}s") {
  static associations = { author: belongsTo() };
  static enums = { status: ["draft", "live"] };
  static validations = { title: { presence: true, length: { maximum: 200 } } };
}`,
  [`app/policies/${name}_policy.js`]: `import { Policy } from "framewright/plugins/resources";
export default class ${classOf(name)}Policy extends Policy {
  canRead() { return true; }
  canCreate() { return true; }
  permittedAttributesForCreate() { return ["title", "body", "author", "status"]; }
  permittedAttributesForRead() { return ["title", "body", "author", "status", "created_at", "updated_at"]; }
  permittedAttributesForIndex() { return ["title", "author", "status", "created_at"]; }
}`,
  [`app/definitions/${name}_definition.js`]: `import { contains, ResourceDefinition } from "framewright/plugins/resources";
export default class ${classOf(name)}Definition extends ResourceDefinition {
  configure() { super.configure(); this.filter("status"); this.search((query, term) => contains(query, "title", term), { reads: ["title"] }); }
}`,
});
