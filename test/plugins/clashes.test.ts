import { tmpdir } from "node:os";
import { AuthModes } from "framewright/host";
import { definePlugin, openKernel, type Plugin, type Settings } from "framewright/kernel";
import { assets } from "framewright/plugins/assets";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { jobs } from "framewright/plugins/jobs";
import { views } from "framewright/plugins/views";
import { assert, describe, throwsCode } from "../support/index.ts";

const settings = {
  env: "test",
  root: tmpdir(),
  secrets: ["b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19"],
} as unknown as Settings;

describe("Names that two plugins register", (it) => {
  it("A job kind, a schedule, an asset, a text or a filter that two plugins register is refused by the names of both", async () => {
    const sweeps = (name: string) =>
      definePlugin({
        name,
        requires: ["jobs"],
        apply: ({ services }) => services.jobs.define("sweep", async () => undefined),
      });
    const ticks = (name: string) =>
      definePlugin({
        name,
        requires: ["jobs"],
        apply: ({ services }) => services.jobs.every("hourly", { kind: "sweep", hours: 1 }),
      });
    const draws = (name: string) =>
      definePlugin({ name, requires: ["assets"], apply: ({ services }) => services.assets.add("chart.js", name) });
    const says = (name: string) =>
      definePlugin({
        name,
        requires: ["i18n"],
        apply: ({ services }) => services.i18n.add("de", { chart: { title: name } }),
      });
    const shouts = (name: string) =>
      definePlugin({
        name,
        requires: ["views"],
        apply: ({ services }) => services.views.addFilter("shout", (text) => String(text).toUpperCase()),
      });
    const clashes = [
      ["FW_REGISTRY_TAKEN", [i18n(), views(), shouts("broom"), shouts("vacuum")], 'the Liquid filter "shout"'],
      ["FW_JOB_KIND_TAKEN", [database(), jobs(), sweeps("broom"), sweeps("vacuum")], "sweep"],
      ["FW_SCHEDULE_TAKEN", [database(), jobs(), sweeps("cupboard"), ticks("broom"), ticks("vacuum")], "hourly"],
      ["FW_ASSET_TAKEN", [assets(), draws("broom"), draws("vacuum")], "chart.js"],
      ["FW_TEXT_TAKEN", [i18n(), says("broom"), says("vacuum")], "chart.title"],
    ] as const;
    for (const [code, plugins, name] of clashes) {
      const error = await throwsCode(code, () => openKernel(plugins, { settings }));
      assert.match(error.message, `"broom" and "vacuum" both`);
      assert.match(error.message, name);
    }
  });
  it("A filter of the framework is taken over by who says so, and by nobody else", async () => {
    const translates = (options?: { replace: boolean }, filter = "t") =>
      definePlugin({
        name: "broom",
        requires: ["views"],
        apply: ({ services }) => services.views.addFilter(filter, () => "swept", options),
      });
    const open = (plugin: Plugin) => openKernel([i18n(), views(), plugin], { settings });
    const taken = await throwsCode("FW_REGISTRY_TAKEN", () => open(translates()));
    assert.match(taken.message, '"views" and "broom" both add the Liquid filter "t"');
    const misspelt = await throwsCode("FW_REGISTRY_NOTHING", () => open(translates({ replace: true }, "tt")));
    assert.match(misspelt.message, 'Did you mean "t"?');
    await (await open(translates({ replace: true }))).close();
  });
  it("A mode of authentication that two plugins provide is refused by the names of both", async () => {
    let owner = "broom";
    const modes = new AuthModes(() => owner);
    modes.add("header");
    owner = "vacuum";
    const error = await throwsCode("FW_REGISTRY_TAKEN", async () => modes.add("header", { guests: "admit" }));
    assert.match(error.message, '"broom" and "vacuum" both add the mode of authentication "header"');
    assert.is(modes.admitsGuests("header"), false);
  });
  it("A plugin may redefine a text that it registered itself", async () => {
    const twice = definePlugin({
      name: "twice",
      requires: ["i18n"],
      apply({ services }) {
        services.i18n.add("en", { twice: { a: "first", b: "kept" } });
        services.i18n.add("en", { twice: { a: "second" } });
      },
    });
    const kernel = await openKernel([i18n(), twice], { settings });
    assert.equal([kernel.service("i18n").t("twice.a"), kernel.service("i18n").t("twice.b")], ["second", "kept"]);
    await kernel.close();
  });
});
