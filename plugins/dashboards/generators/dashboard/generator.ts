import { type ApplicationFiles, type Changes, defineGenerator, usage } from "framewright/generators";
import { camelize, pathOf } from "framewright/host/inflection";
import { addPlugins, importDefault, importPath, portalOf } from "../../../../generators/toolkit/index.ts";
import { registeredIn } from "../../../resources/generators/toolkit/index.ts";
import { pathsOf } from "./paths.ts";

export default defineGenerator({
  name: "fw:dashboard",
  summary: "Create a dashboard of a portal: its class, and its registration in place of the portal's root",
  example: "fw generate fw:dashboard Main --dest=admin_portal --at=/",
  args: "<name>",
  options: {
    dest: { summary: "The portal", value: "PORTAL" },
    at: { summary: "Its path below the portal; / by default, in place of the portal's root", value: "PATH" },
  },
  help: `At / it takes the place of the portal's root; a portal may have more of them at other paths, with tabs between them.`,
  directory: import.meta.dirname,
  async run({ args, options, app, changes, template, note }) {
    const key = keyOf(args[0]!);
    const at = pathFor(options.at);
    const portal = await portalOf(app, options.dest);
    const name = `${camelize(key)}Dashboard`;
    const file = `packages/${portal}/app/dashboards/${portal}/${key}_dashboard.ts`;
    const routes = `packages/${portal}/config/routes.ts`;
    const isThere = checkPlace(app, changes, routes, name, at);
    template(file, "dashboard.ts", { name });
    addPlugins(changes, ["dashboards"]);
    if (isThere) return;
    changes.addImport(routes, 'import type {} from "framewright/plugins/dashboards";');
    const local = importDefault(changes, routes, { name, from: importPath(file), suffix: "Class" });
    const replaced = register(changes, routes, local, at);
    if (replaced)
      note(
        `It takes the place of ${replaced} in ${routes}. Remove that one, and its views, if nothing else leads there.`,
      );
  },
});

/** `Main` and `main_dashboard` are both `main`. @throws FW_NAME_INVALID */
function keyOf(given: string): string {
  const key = pathOf(given).replace(/_dashboard$/, "");
  if (!/^[a-z][a-z0-9_]*$/.test(key)) throw usage.FW_NAME_INVALID("a dashboard", given, "as in Main or monthly_sales");
  return key;
}

/** @throws FW_NAME_INVALID */
function pathFor(given = "/"): string {
  const path = `/${given.replace(/^\/|\/$/g, "")}`;
  if (!/^\/$|^(?:\/[\w~-]+)+$/.test(path))
    throw usage.FW_NAME_INVALID(
      "the path of a dashboard",
      given,
      "a path below the portal without parameters, as in / or /reports",
    );
  return path;
}

/** Whether the dashboard is registered there already. @throws FW_DASHBOARD_TAKEN where the path, or the dashboard, has another place */
function checkPlace(app: ApplicationFiles, changes: Changes, routes: string, name: string, at: string): boolean {
  const text = changes.read(routes) ?? "";
  const taken = pathsOf(text, registeredIn(routes, text, app.models()));
  const own = taken.find(({ what }) => what === name);
  if (own?.path === at) return true;
  if (own) throw usage.FW_DASHBOARD_TAKEN(name, at, `${routes} registers it at "${own.path}" already`);
  const other = taken.find(({ path, isRoot, isDashboard }) => path === at && !isRoot && !(isDashboard && at === "/"));
  if (other) throw usage.FW_DASHBOARD_TAKEN(name, at, `${routes} has ${other.what} there`);
  return false;
}

const ROOT = /\b(\w+)\.root\(\s*\{([^}]*)\}\s*\);?/;

/** A dashboard at the root, as a portal is generated with one. */
const MAIN = /\b(\w+)\.registerDashboard\(\s*(\w+)\s*,\s*\{\s*at:\s*["']\/?["']\s*,?\s*\}\s*\);?/;

/** Writes the registration; returns the target of the root whose place it takes. @throws FW_PLACE_MISSING */
function register(changes: Changes, routes: string, name: string, at: string): string | undefined {
  const line = (owner: string) => `${owner}.registerDashboard(${name}, { at: "${at}" });`;
  const main = at === "/" ? MAIN.exec(changes.read(routes) ?? "") : null;
  if (main) {
    changes.edit(routes, (text) =>
      text.replace(MAIN, () => line(main[1]!)).replace(new RegExp(`^import ${main[2]} from .*\\n`, "m"), ""),
    );
    return main[2];
  }
  const root = at === "/" ? ROOT.exec(changes.read(routes) ?? "") : null;
  if (!root) {
    changes.insertAbove(routes, "fw:resources", line("routes"));
    return undefined;
  }
  changes.edit(routes, (text) => text.replace(ROOT, () => line(root[1]!)));
  return /to:\s*["']([^"']+)["']/.exec(root[2]!)?.[1] ?? "the root";
}
