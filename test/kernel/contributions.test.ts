import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AsyncSeriesHook,
  definePlugin,
  env,
  type Kernel,
  openKernel,
  option,
  type Plugin,
  SyncBailHook,
  SyncHook,
} from "framewright/kernel";
import { assert, describe, throwsCode } from "../support/index.ts";

interface Bell {
  ring(): string;
}
interface BellHooks {
  rung: SyncHook<[times: number]>;
  sound: SyncBailHook<[], string | undefined>;
  wait: AsyncSeriesHook<[]>;
}
declare module "framewright/kernel" {
  interface Slots {
    bell: { service: Bell; hooks: BellHooks };
  }
}

const temporaryFolder = () => mkdtempSync(join(tmpdir(), "fw-kernel-"));
const bellHooks = (): BellHooks => ({
  rung: new SyncHook(["times"]),
  sound: new SyncBailHook([]),
  wait: new AsyncSeriesHook([]),
});
const bell = definePlugin({
  name: "bell",
  options: { times: option.number, sound: option.oneOf("ding", "dong") },
  provides: "bell",
  hooks: bellHooks,
  answers: { sound: { expected: "a sound", check: (answer) => typeof answer === "string" } },
  apply({ hooks, options: { times = 1, sound = "ding" } }) {
    return {
      ring() {
        hooks.bell.rung.call(times);
        return Array(times)
          .fill(hooks.bell.sound.call() ?? sound)
          .join(" ");
      },
    };
  },
});

async function withKernel(plugins: readonly Plugin[], story: (kernel: Kernel) => unknown, values = {}): Promise<void> {
  const kernel = await openKernel(plugins, { values });
  try {
    await story(kernel);
  } finally {
    await kernel.close();
  }
}

describe("Options of a plugin", (it) => {
  it("definePlugin with options returns a factory, whose options apply gets", () =>
    withKernel([bell({ times: 2, sound: "dong" })], (kernel) => assert.is(kernel.service("bell").ring(), "dong dong")));
  it("A factory may be called without options, and each call makes a plugin of its own", async () => {
    bell({ times: 3 });
    await withKernel([bell()], (kernel) => assert.is(kernel.service("bell").ring(), "ding"));
  });
  it("A factory refuses an unknown option with a suggestion, and a value that does not fit, when it is called", async () => {
    const error = await throwsCode("FW_OPTION_UNKNOWN", () => bell({ tims: 1 } as never));
    assert.match(error.message, 'Did you mean "times"?');
    await throwsCode("FW_OPTION_INVALID", () => bell({ sound: "boom" as "ding" }));
  });
  it("Options are typed by their rules", () => {
    // @ts-expect-error: no such option
    assert.throws(() => bell({ volume: 1 }));
    // @ts-expect-error: not one of the choices
    assert.throws(() => bell({ sound: "boom" }));
  });
});

describe("A plugin that is listed several times", (it) => {
  const heard: string[] = [];
  const commands = [{ name: "lamp:lit", summary: "", example: "", load: () => Promise.reject(new Error("unused")) }];
  const lamp = definePlugin({
    name: "lamp",
    instances: true,
    commands,
    options: { watts: option.number },
    apply({ name, options: { watts = 5 }, hooks, tap }) {
      tap(hooks.kernel!.ready, () => {
        heard.push(`${name} ${watts}`);
        if (watts === 0) throw new Error("dark");
      });
    },
  });
  it("Each is applied under the name that the application gave it, with its own options, taps and errors", async () => {
    heard.length = 0;
    await withKernel([lamp(), lamp({ as: "desk_lamp", watts: 8 })], (kernel) => {
      assert.equal(kernel.plugins, ["lamp", "desk_lamp"]);
      assert.equal(heard, ["lamp 5", "desk_lamp 8"]);
      assert.equal(
        kernel.pluginInfo().map(({ instanceOf }) => instanceOf),
        [undefined, "lamp"],
      );
    });
    const dark = await throwsCode("FW_TAP_FAILED", () => openKernel([lamp(), lamp({ as: "desk_lamp", watts: 0 })]));
    assert.match(dark.message, 'the plugin "desk_lamp" failed in the hook "kernel.ready"');
    const wrong = await throwsCode("FW_OPTION_INVALID", () => lamp({ as: "desk_lamp", watts: -1 }));
    assert.match(wrong.message, 'the option "watts" of "desk_lamp"');
  });
  it("Two under one name are refused, and the error says how one of them gets another", async () => {
    const error = await throwsCode("FW_PLUGIN_DUPLICATE", () => openKernel([lamp(), lamp()]));
    assert.match(
      error.message,
      'both named "lamp". Remove one of the two, or give one a name of its own: { as: "lamp_2" }',
    );
  });
  it("A name is lower-case letters, digits and _, and a plugin that is listed once takes none", async () => {
    for (const as of ["", "Desk", "desk lamp", "2nd", "a-b", "__proto__"])
      await throwsCode("FW_OPTION_INVALID", () => lamp({ as }));
    // @ts-expect-error: no such option
    await throwsCode("FW_OPTION_UNKNOWN", () => bell({ as: "other" }));
  });
  it("A factory of one's own passes the name on", async () => {
    const candle = (as?: string) =>
      definePlugin({ name: "candle", instances: true, as, apply: ({ name }) => void heard.push(name) });
    heard.length = 0;
    await withKernel([candle(), candle("red_candle")], () => assert.equal(heard, ["candle", "red_candle"]));
  });
});

describe("Variables of a plugin", (it) => {
  const tower = (heard: unknown[] = []) =>
    definePlugin({
      name: "tower",
      env: {
        TOWER_URL: env.url(),
        TOWER_FLOORS: env.integer({ default: 3 }),
        TOWER_KEY: env.string({ optional: true }),
        TOWER_LIT: env.boolean({ default: false }),
        TOWER_STONE: env.oneOf("slate", "brick")({ optional: true }),
      },
      apply({ env: { TOWER_URL, TOWER_FLOORS, TOWER_KEY, TOWER_LIT, TOWER_STONE } }) {
        const floors: number = TOWER_FLOORS;
        const key: string | undefined = TOWER_KEY;
        const stone: "slate" | "brick" | undefined = TOWER_STONE;
        heard.push(TOWER_URL.host, floors, key, TOWER_LIT, stone);
      },
    });
  it("apply gets variables as their rules read them, defaults for absent and empty ones", async () => {
    const heard: unknown[] = [];
    const values = { TOWER_URL: "https://tower.example/a", TOWER_FLOORS: "", TOWER_LIT: "true", TOWER_STONE: "brick" };
    await withKernel([tower(heard)], () => undefined, values);
    assert.equal(heard, ["tower.example", 3, undefined, true, "brick"]);
  });
  it("A missing variable is refused before any plugin is applied, with the plugin and what is expected", async () => {
    const applied: string[] = [];
    const first = definePlugin({ name: "first", apply: () => void applied.push("first") });
    const error = await throwsCode("FW_ENV_MISSING", () => openKernel([first, tower()]));
    assert.match(error.message, '"tower" needs TOWER_URL in the environment: an address');
    assert.equal(applied, []);
  });
  it("A variable that does not fit is refused, and its value is not quoted", async () => {
    const values = { TOWER_URL: "https://tower.example", TOWER_FLOORS: "hunter2" };
    const error = await throwsCode("FW_ENV_INVALID", () => openKernel([tower()], { values }));
    assert.match(error.message, 'TOWER_FLOORS, which "tower" reads, is not valid: expected a whole number');
    assert.not.match(error.message, "hunter2");
  });
  it("The names of variables are listed with the plugin, not their values", () =>
    withKernel(
      [tower()],
      (kernel) => assert.equal(kernel.pluginInfo()[0]!.env.slice(0, 2), ["TOWER_URL", "TOWER_FLOORS"]),
      { TOWER_URL: "https://tower.example" },
    ));
});

describe("Slots that a plugin uses or decorates", (it) => {
  const heard = (into: string[]) =>
    definePlugin({
      name: "ear",
      uses: ["bell"],
      apply: ({ services }) => void into.push(services.bell?.ring() ?? "-"),
    });
  it("A used slot is applied first where it is filled, and boot goes on where it is not", async () => {
    const into: string[] = [];
    await withKernel([heard(into), bell()], (kernel) => assert.equal(kernel.plugins, ["bell", "ear"]));
    await withKernel([heard(into)], () => undefined);
    assert.equal(into, ["ding", "-"]);
  });
  it("Plugins that use each other's slots in a cycle are refused with FW_PLUGIN_CYCLE", async () => {
    const looped = definePlugin({
      name: "looped",
      uses: ["bell"],
      provides: "store",
      apply: () => ({ name: "looped" }),
    });
    const asker = definePlugin({
      name: "asker",
      requires: ["store"],
      provides: "bell",
      hooks: bellHooks,
      apply: () => ({ ring: () => "" }),
    });
    await throwsCode("FW_PLUGIN_CYCLE", () => openKernel([looped, asker]));
  });
  it("A decorator wraps the service before anyone else gets it, and the slot keeps its hooks", async () => {
    const rung: number[] = [];
    const louder = definePlugin({
      name: "louder",
      decorates: "bell",
      apply({ services, hooks, tap }) {
        tap(hooks.bell.rung, (times) => void rung.push(times));
        return { ring: () => services.bell.ring().toUpperCase() };
      },
    });
    const into: string[] = [];
    await withKernel([heard(into), louder, bell({ times: 2 })], (kernel) => {
      assert.equal(kernel.plugins, ["bell", "louder", "ear"]);
      assert.equal([into, rung], [["DING DING"], [2]]);
    });
  });
  it("A decorator of a slot that no plugin provides is refused with FW_SLOT_EMPTY", async () => {
    const louder = definePlugin({ name: "louder", decorates: "bell", apply: ({ services }) => services.bell });
    await throwsCode("FW_SLOT_EMPTY", () => openKernel([louder]));
  });
  it("A plugin that provides a slot and requires it is told to decorate it", async () => {
    const old = definePlugin({
      name: "old",
      requires: ["bell"],
      provides: "bell",
      replaces: true,
      hooks: bellHooks,
      apply: ({ services }) => services.bell,
    });
    const error = await throwsCode("FW_SLOT_OWN", () => openKernel([bell(), old]));
    assert.match(error.message, 'decorates: "bell"');
  });
  it("A plugin that replaces another must open the hooks that the other opens, of the same kind", async () => {
    const replacing = (hooks: () => object) =>
      definePlugin({
        name: "gong",
        provides: "bell",
        replaces: true,
        hooks,
        apply: () => ({ ring: () => "" }),
      } as never);
    const none = await throwsCode("FW_HOOKS_MISSING", () => openKernel([bell(), replacing(() => ({}))]));
    assert.match(none.message, '"gong" took the slot "bell" over and does not open its hook "rung" as SyncHook');
    const other = () => ({ ...bellHooks(), wait: new SyncHook() });
    const wrong = await throwsCode("FW_HOOKS_MISSING", () => openKernel([bell(), replacing(other)]));
    assert.match(wrong.message, '"wait" as AsyncSeriesHook');
    await withKernel([bell(), replacing(bellHooks)], (kernel) => assert.is(kernel.pluginInfo()[0]!.replaces, "bell"));
  });
});

describe("Hooks of other plugins", (it) => {
  type Given = { hooks: { bell: BellHooks }; tap: unknown };
  const stranger = (act: (given: Given) => unknown) =>
    definePlugin({ name: "stranger", requires: ["bell"], apply: (given) => void act(given as never) });
  it("A plugin taps under its own name without saying it, awaited hooks too, at a stage", async () => {
    const order: string[] = [];
    const tapping = definePlugin({
      name: "tapping",
      requires: ["bell"],
      apply({ hooks, tap }) {
        tap(hooks.kernel.ready, () => void order.push("late"), { stage: 5 });
        tap(hooks.kernel.ready, async () => void order.push("early"));
        tap(hooks.bell.sound, () => "clang");
      },
    });
    await withKernel([bell(), tapping], (kernel) => {
      assert.equal(order, ["early", "late"]);
      assert.is(kernel.service("bell").ring(), "clang");
      assert.ok(kernel.taps().every(({ plugin }) => plugin === "tapping"));
    });
  });
  it("A plugin can neither call nor intercept a hook of another, nor change it", async () => {
    const attempts: ((hooks: { bell: BellHooks }) => unknown)[] = [
      ({ bell: { rung } }) => rung.call(1),
      ({ bell: { wait } }) => wait.promise(),
      ({ bell: { rung } }) => rung.intercept({ register: (tap) => tap }),
      ({ bell: { rung } }) => rung.interceptors.push({}),
      ({ bell: { rung } }) => Object.assign(rung, { taps: [] }),
    ];
    for (const attempt of attempts) {
      const error = await throwsCode("FW_HOOK_FOREIGN", () =>
        openKernel([bell(), stranger(({ hooks }) => attempt(hooks))]),
      );
      assert.match(error.message, /"stranger" uses \w+ of the hook "bell\.\w+"/);
    }
  });
  it("Calling another plugin's hook does not compile", () => {
    definePlugin({
      name: "stranger",
      requires: ["bell"],
      // @ts-expect-error: only its owner calls it
      apply: ({ hooks }) => hooks.bell.rung.call(1),
    });
    definePlugin({
      name: "stranger",
      requires: ["bell"],
      apply({ hooks, tap }) {
        // @ts-expect-error: a tap that awaits, of a hook that does not
        tap(hooks.bell.sound, async () => "ding");
      },
    });
  });
  it("An answer that the slot's owner does not expect is an error that names the plugin", async () => {
    const odd = stranger(({ hooks }) => hooks.bell.sound.tap("stranger", () => 7 as never));
    await withKernel([bell(), odd], async (kernel) => {
      const error = await throwsCode("FW_TAP_ANSWER", () => kernel.service("bell").ring());
      assert.match(error.message, '"stranger" answered the hook "bell.sound" with a number; expected a sound');
    });
  });
});

describe("The directory of a plugin", (it) => {
  const shelf = (found: [string, string | undefined][]) =>
    definePlugin({
      name: "shelf",
      apply: ({ hooks, tap, registrant }) =>
        tap(hooks.kernel.contribute, (contribution) => {
          assert.is(registrant(), contribution.plugin);
          found.push([contribution.plugin, contribution.folder("books")]);
        }),
    });
  const author = (directory: string) => definePlugin({ name: "author", directory, apply: () => undefined });
  it("Services find the folders of a plugin's directory, after all plugins are applied", async () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, "books"));
    const found: [string, string | undefined][] = [];
    await withKernel([author(directory), shelf(found)], () =>
      assert.equal(found, [["author", join(directory, "books")]]),
    );
  });
  it("A directory that does not exist is refused, and one that has no folders", async () => {
    const missing = join(temporaryFolder(), "nowhere");
    const gone = await throwsCode("FW_PLUGIN_DIRECTORY", () => openKernel([author(missing)]));
    assert.match(gone.message, `"author" does not exist: ${missing}`);
    const empty = await throwsCode("FW_PLUGIN_DIRECTORY", () => openKernel([author(temporaryFolder()), shelf([])]));
    assert.match(empty.message, "has no folders");
  });
});
