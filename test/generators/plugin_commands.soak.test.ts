import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw } from "./support.ts";

const bakery = `
import type { Command } from "framewright/generators";
import { definePlugin, env, option } from "framewright/kernel";
const commands: readonly Command[] = [
  { name: "bakery:bread", args: "<kind>", summary: "Bake a loaf", example: "fw bakery:bread rye",
    options: { slices: { summary: "How many", value: "NUMBER" } }, load: () => import("./bread.ts") },
];
export const bakery = definePlugin({
  name: "bakery",
  framewright: "^0.1",
  directory: import.meta.dirname,
  options: { crust: option.oneOf("soft", "hard") },
  env: { BAKERY_URL: env.url() },
  commands,
  apply({ env: { BAKERY_URL }, options: { crust = "soft" }, hooks, tap }) {
    tap(hooks.kernel.ready, () => void Object.assign(globalThis, { bakery: BAKERY_URL.host + " " + crust }));
  },
});
`;
const bread = `
import { type CommandContext, withApp } from "framewright/generators";
export default async function bread({ args, options }: CommandContext): Promise<void> {
  await withApp({}, async (app) => {
    const { bakery } = globalThis as { bakery?: string };
    console.log([args[0], options.slices ?? "whole", app.kernel.plugins.includes("bakery"), bakery].join(" "));
  });
}
`;

describe("Commands of plugins", (it, { before }) => {
  let app: string;
  let config: string;
  const list = (text: string) => writeFileSync(join(app, "plugins.config.ts"), text);
  const file = (path: string, text: string) => writeFileSync(join(app, "lib/bakery", path), text);
  before(async () => {
    app = await newApp();
    mkdirSync(join(app, "lib/bakery/locales"), { recursive: true });
    file("index.ts", bakery);
    file("bread.ts", bread);
    file("locales/en.json", `{ "bakery": { "open": "Open at six" } }`);
    config = readFileSync(join(app, "plugins.config.ts"), "utf8");
    list(
      `import { bakery } from "./lib/bakery/index.ts";\n${config.replace("definePlugins([", 'definePlugins([bakery({ crust: "hard" }), ')}`,
    );
    writeFileSync(
      join(app, ".env.development"),
      `${readFileSync(join(app, ".env.development"), "utf8")}\nBAKERY_URL=https://bakery.example\n`,
    );
  });

  it("fw --help lists a plugin's command, and fw runs it with its arguments in the booted application", async () => {
    assert.match((await fwOk(app, "--help")).out, /bakery:bread <kind> +Bake a loaf/);
    assert.match((await fwOk(app, "bakery:bread", "rye", "--slices=8")).out, "rye 8 true bakery.example hard");
    assert.match((await fwOk(app, "bakery:bread", "--help")).out, "Usage: fw bakery:bread <kind> [options]");
  });
  it("A misspelt command of a plugin is suggested, and an unknown option is refused, with exit code 2", async () => {
    const misspelt = await runFw(app, "bakery:bred");
    assert.equal([misspelt.code, /Did you mean "bakery:bread"\?/.test(misspelt.err)], [2, true]);
    assert.is((await runFw(app, "bakery:bread", "rye", "--slice=8")).code, 2);
  });
  it("fw plugins lists slots, needs and variables of each plugin", async () => {
    const { out } = await fwOk(app, "plugins");
    assert.match(out, /^bakery +BAKERY_URL/m);
    const listed = JSON.parse((await fwOk(app, "plugins", "--json")).out) as { name: string; provides?: string }[];
    assert.is(listed.find(({ name }) => name === "resources")?.provides, "resources");
  });
  it("fw hooks --all lists hooks that nobody taps, with owner, kind and what the reference says", async () => {
    const { out } = await fwOk(app, "hooks", "--all");
    assert.match(
      out,
      /host\.request AsyncSeriesBailHook\(request\) of host\n {4}Before a request is routed.*\n {4}not tapped/,
    );
    assert.match(out, /kernel\.ready AsyncSeriesHook\(\) of kernel\n.*\n {4}tapped by .*bakery/);
  });
  it("fw doctor lists the variables of plugins by name; a missing one is named at boot, and its value never", async () => {
    const env = readFileSync(join(app, ".env.development"), "utf8");
    assert.match((await runFw(app, "doctor")).out, "variables of bakery: BAKERY_URL");
    writeFileSync(join(app, ".env.development"), edited({ env }, "env", ["https://bakery.example", "s3cret"]));
    const wrong = await runFw(app, "routes");
    assert.equal([wrong.code, wrong.err.includes("s3cret")], [1, false]);
    assert.match(wrong.err, 'FW_ENV_INVALID: BAKERY_URL, which "bakery" reads, is not valid');
    writeFileSync(join(app, ".env.development"), env);
  });
  it("A plugin that was made for another version of the framework is refused with both versions", async () => {
    file("index.ts", bakery.replace("^0.1", "^7.2"));
    const { code, err } = await runFw(app, "routes");
    assert.is(code, 1);
    assert.match(err, /FW_PLUGIN_VERSION: "bakery" works with framewright \^7\.2, and \d+\.\d+\.\d+\S* is installed/);
    file("index.ts", bakery);
  });
  it("Two plugins with one command are refused in a sentence that names both, and so is a command of the framework", async () => {
    const text = readFileSync(join(app, "plugins.config.ts"), "utf8");
    list(text.replace("definePlugins([", 'definePlugins([{ ...bakery(), name: "patisserie" }, '));
    const { code, err } = await runFw(app, "bakery:bread", "rye");
    assert.is(code, 1);
    assert.match(err, '"patisserie" and "bakery" both add the command "bakery:bread"');
    file("index.ts", bakery.replace('name: "bakery:bread"', 'name: "routes"'));
    list(text);
    assert.match((await runFw(app, "--help")).err, '"framewright" and "bakery" both add the command "routes"');
    file("index.ts", bakery);
  });
  it("With its line left out, fw knows nothing of a plugin's commands", async () => {
    const without = config.replace(/^.*\b(?:jobs|mailer|memberships|authlib|jwtTokens|wizards)\b.*\n/gm, "");
    list(without);
    const { out } = await fwOk(app, "--help");
    for (const name of ["bakery:bread", "jobs:work", "authlib:user:show", "wizards:sweep"]) assert.not.match(out, name);
    assert.is((await runFw(app, "jobs")).code, 2);
  });
  it("Plugins that can't be loaded leave the framework's commands, and the error is printed", async () => {
    list('import "./gone.ts";\nexport default [];\n');
    const { code, out, err } = await runFw(app, "--help");
    assert.is(code, 0);
    assert.match(out, "db:migrate");
    assert.match(err, "gone.ts");
  });

  it("The commands of a plugin that another one replaces are left out, and those of the other are there", async () => {
    list(`import { definePlugins } from "framewright";
      import { database } from "framewright/plugins/database";
      import { jobs } from "framewright/plugins/jobs";
      export default definePlugins([database(), jobs(), { ...jobs(), name: "queue", replaces: true } as never]);`);
    assert.not.match((await runFw(app, "jobs")).err, "FW_REGISTRY_TAKEN");
    assert.is((await fwOk(app, "--help")).out.match(/jobs:discard <id>/g)?.length, 1);
  });
});
