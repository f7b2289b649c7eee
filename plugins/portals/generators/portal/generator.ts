import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ask, choose, defineGenerator, type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { camelize, demodulize, pluralize, titleize, underscore } from "framewright/host/inflection";
import { accountTypesOf, codeDirectory, importPath } from "../../../../generators/toolkit/index.ts";
import { dashboardGenerator as dashboard } from "../../../dashboards/generators/toolkit/index.ts";

type Mode = { kind: "public" | "byo" } | { kind: "auth"; account: string };
const modeFlags = ["--auth=NAME", "--public", "--byo"];

export default defineGenerator({
  name: "fw:pkg:portal",
  summary: "Create a portal: an engine with its own routes, controllers and policies, mounted in config/routes.ts",
  example: "fw generate fw:pkg:portal admin --auth=user",
  args: "<name>",
  options: {
    auth: { summary: "The account that the portal authenticates with", value: "NAME" },
    public: { summary: "Without sign-in: guests can read what policies permit, and write nothing" },
    byo: { summary: "Bring your own authentication; unknown requests are refused" },
    scope: { summary: "The model of the tenants", value: "CLASS" },
    at: { summary: "Where it is mounted: / for a site, /<name> by default", value: "PATH" },
  },
  directory: import.meta.dirname,
  async run({ args: [given], options, app, changes, template, note, compose }) {
    const short = underscore(given!).replace(/_portal$/, "");
    if (!/^[a-z][a-z0-9_]*$/.test(short))
      throw usage.FW_NAME_INVALID("a portal", given!, "use letters, digits and _, starting with a letter");
    const name = `${short}_portal`;
    const at = pathOf(options.at) ?? `/${short}`;
    if (!app.has(`packages/${name}/lib/engine.ts`)) checkAddress(app, name, at);
    const mode = await modeOf(options, app);
    const entity = options.scope === undefined ? undefined : app.model(options.scope);
    const locals = {
      name,
      short,
      title: titleize(name),
      constant: camelize(name),
      account: mode.kind === "auth" ? mode.account : "",
      key_name: `${short.toUpperCase()}_API_KEY`,
      entity: entity ? demodulize(entity.constant) : "",
      entity_path: entity ? importPath(entity.path) : "",
    };
    const base = `packages/${name}`;
    template(`${base}/lib/engine.ts`, "engine.ts", locals);
    template(`${base}/app/controllers/${name}/concerns/controller.ts`, `${mode.kind}_controller.ts`, locals);
    template(`${base}/app/controllers/${name}/resource_controller.ts`, "resource_controller.ts", locals);
    template(`${base}/app/policies/${name}/resource_policy.ts`, `${mode.kind}_resource_policy.ts`, locals);
    template(`${base}/app/definitions/${name}/resource_definition.ts`, "resource_definition.ts", locals);
    changes.create(`${base}/app/views/layouts/resource.liquid`, mode.kind === "public" ? SITE : standardLayout());
    if (!hasOwnRoot(changes.read(`${base}/config/routes.ts`))) {
      template(`${base}/config/routes.ts`, "routes.ts", locals);
      await compose(dashboard, ["Main"], { dest: name, at: "/" });
    }
    mount({ changes, note }, { name, at, constant: locals.constant }, mode);
    if (at === "/") clearRoot({ changes, note }, locals.constant);
    if (mode.kind === "byo")
      note(
        `\nThe portal compares the header X-API-Key with the setting ${locals.key_name}: set it, or change the concern.`,
      );
    if (entity && mode.kind === "auth") noteEntrance({ app, note }, mode.account, entity, locals.constant);
    note(`\nNext:\n  npx fw generate fw:res:conn RESOURCE --dest=${name}`);
  },
});

/** The path of `--at`, without a slash at its end. @throws FW_FLAG_VALUE */
function pathOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const path = given.replace(/(?<=.)\/$/, "");
  if (!/^\/([a-z0-9_-]+(\/[a-z0-9_-]+)*)?$/.test(path)) throw usage.FW_FLAG_VALUE("--at", "a path, as in /shop or /");
  return path;
}

/** @throws FW_PORTAL_ADDRESS where the pages of an account type are at the portal's path */
function checkAddress(app: GeneratorContext["app"], portal: string, at: string): void {
  const account = app.accounts().find((name) => `/${pluralize(name)}` === at);
  if (account !== undefined) throw usage.FW_PORTAL_ADDRESS(account, portal, at, "portal");
}

/** Whether a portal from before begins with a page of its own: it keeps that. */
const hasOwnRoot = (routes: string | undefined): boolean => /\.root\(/.test(routes ?? "");

/** Nobody enters a scoped portal whose account has no association with the tenant. */
function noteEntrance(
  { app, note }: Pick<GeneratorContext, "app" | "note">,
  account: string,
  entity: ModelFile,
  portal: string,
): void {
  const one = underscore(demodulize(entity.constant));
  const users = app.models().filter((model) => accountTypesOf(app, model).includes(account));
  const isLinked = users.some(({ path }) => new RegExp(`\\b(${one}|${pluralize(one)})\\s*:`).test(app.read(path)));
  if (users.length === 0 || isLinked) return;
  note(
    `\nNobody can enter ${portal} yet: ${users[0]!.constant} has no association with ${entity.constant}. Add one to ${users[0]!.path}, as in ${pluralize(one)}: hasMany({ through: "memberships" }), or write authorizeEntity(entity) in the portal's concern.`,
  );
}

/** The default layout, for the portal to edit; the shell itself stays the framework's until it is ejected. */
const standardLayout = () => readFileSync(join(codeDirectory, "plugins/layout/views/layouts/resource.liquid"), "utf8");

/** That of pages to be read, with their navigation above them. */
const SITE = '{% render "framewright/site" %}\n';

/** Removes the first page of a new application, which would be found before a portal at /; a page of the developer's own stays. */
function clearRoot({ changes, note }: Pick<GeneratorContext, "changes" | "note">, portal: string): void {
  const routes = "config/routes.ts";
  changes.edit(routes, (text) => text.replace(/^ *routes\.root\(\{ to: "home#index" \}\);\n/m, ""));
  if (hasOwnRoot(changes.read(routes)))
    note(`\n${routes} draws / itself, which is found before ${portal}: remove its routes.root().`);
}

interface Modes {
  auth?: string;
  public?: boolean;
  byo?: boolean;
}
async function modeOf(options: Modes, app: GeneratorContext["app"]): Promise<Mode> {
  const given = [options.auth !== undefined && "--auth", options.public && "--public", options.byo && "--byo"].filter(
    (flag) => typeof flag === "string",
  );
  if (given.length > 1) throw usage.FW_FLAGS_CLASH(given);
  const kind = given[0]?.slice(2) ?? (await askMode());
  if (kind !== "auth") return { kind: kind as "public" | "byo" };
  const account = underscore(options.auth ?? (await ask("Which account?", ["--auth=NAME"], "user")));
  return { kind: "auth", account: app.account(account) };
}

const askMode = () =>
  choose(
    "How do people sign in to this portal?",
    [
      { value: "auth", label: "With an account", hint: "--auth=NAME" },
      { value: "public", label: "Without authentication, read-only", hint: "--public" },
      { value: "byo", label: "With your own authentication", hint: "--byo" },
    ],
    modeFlags,
  );

function mount(
  { changes, note }: Pick<GeneratorContext, "changes" | "note">,
  { name, at, constant }: { name: string; at: string; constant: string },
  mode: Mode,
): void {
  const routes = "config/routes.ts";
  const plain = `mount(${constant}, { at: "${at}" })`;
  const guard = mode.kind === "auth" ? `authenticate("${mode.account}")` : undefined;
  const line = guard ? `routes.constraints(${guard}, (r) => r.${plain});` : `routes.${plain};`;
  const text = changes.read(routes) ?? "";
  const written = new RegExp(`^.*\\bmount\\(\\s*${constant}\\b.*$`, "m").exec(text)?.[0];
  if (written !== undefined) {
    const isGuarded = guard === undefined ? !written.includes("constraints(") : text.includes(guard);
    const isSame = isGuarded && written.includes(plain);
    if (!isSame) note(mountedNote(constant, routes, { written: written.trim(), line }));
    return;
  }
  if (guard) changes.addImport(routes, 'import { authenticate } from "framewright/plugins/authlib";');
  changes.addImport(routes, `import { ${constant} } from "#packages/${name}/lib/engine.ts";`);
  changes.insertAbove(routes, "fw:mounts", line);
}

/** A mount is the developer's: it may have been written otherwise. */
const mountedNote = (constant: string, routes: string, { written, line }: { written: string; line: string }): string =>
  `\n${routes} mounts ${constant} already, and is left as it is:\n  ${written}\nFor these options it is:\n  ${line}`;
