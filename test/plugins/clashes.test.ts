import { tmpdir } from "node:os";
import { definePlugin, openKernel, type Settings } from "framewright/kernel";
import { assets } from "framewright/plugins/assets";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { jobs } from "framewright/plugins/jobs";
import { assert, describe, throwsCode } from "../support/index.ts";

const settings = { env: "test", root: tmpdir(), secrets: ["test-secret-".repeat(6)] } as unknown as Settings;

describe("Names that two plugins register", (it) => {
  it("A job kind, a schedule, an asset or a text that two plugins register is refused by the names of both", async () => {
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
    const clashes = [
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
