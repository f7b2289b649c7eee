import {
  callHook,
  checkOptions,
  definePlugin,
  definePlugins,
  type InPortal,
  type Kernel,
  type KeyedHook,
  keyedHook,
  MacroTable,
  openKernel,
  option,
  type Plugin,
  type TapOnly,
  tapsOf,
  withMacroErrors,
} from "framewright/kernel";
import { AsyncSeriesHook, SyncBailHook, SyncHook, SyncWaterfallHook } from "tapable";
import { assert, describe, throwsCode } from "../support/index.ts";
import { within } from "../support/pace.ts";

interface Clock {
  now(): string;
}
interface ClockHooks {
  tick: SyncHook<[at: string]>;
  ask: SyncBailHook<[question: string], string | undefined>;
  wait: AsyncSeriesHook<[]>;
}
interface ShelfHooks {
  opened: SyncHook<[shelf: Shelf], void, InPortal>;
  named: SyncWaterfallHook<[name: string, shelf: Shelf], string, InPortal>;
  closed: AsyncSeriesHook<[shelf: Shelf], InPortal>;
  swept: SyncHook<[]>;
}
interface Shelf {
  portal: string | undefined;
}
interface KeyedHooks {
  said: KeyedHook<Function, [text: string]>;
}
declare module "framewright/kernel" {
  interface Slots {
    clock: { service: Clock; hooks: ClockHooks };
    store: { service: { name: string } };
    keyed: { service: object; hooks: KeyedHooks };
    shelves: { hooks: ShelfHooks };
  }
}

const clockHooks = (): ClockHooks => ({
  tick: new SyncHook(["at"]),
  ask: new SyncBailHook(["question"]),
  wait: new AsyncSeriesHook([]),
});
const clock = (name = "clock", replaces = false): Plugin =>
  definePlugin({ name, provides: "clock", replaces, hooks: clockHooks, apply: () => ({ now: () => name }) });
const shelves = definePlugin({
  name: "shelves",
  provides: "shelves",
  hooks: (): ShelfHooks => ({
    opened: new SyncHook(["shelf"]),
    named: new SyncWaterfallHook(["name", "shelf"]),
    closed: new AsyncSeriesHook(["shelf"]),
    swept: new SyncHook([]),
  }),
  portalOf: { opened: ({ portal }) => portal, named: (_, { portal }) => portal, closed: ({ portal }) => portal },
  apply: () => undefined,
});
const store = (name = "store") => definePlugin({ name, provides: "store", apply: () => ({ name }) });
/** A plugin that needs the clock, with whatever it does in apply. */
const user = (
  name: string,
  apply: (kernel: { hooks: { clock: TapOnly<ClockHooks> }; services: { clock: Clock } }) => void = () => undefined,
) => definePlugin({ name, requires: ["clock"], apply: (kernel) => apply(kernel) });

async function withKernel(plugins: readonly Plugin[], story: (kernel: Kernel) => unknown): Promise<void> {
  const kernel = await openKernel(plugins);
  try {
    await story(kernel);
  } finally {
    await kernel.close();
  }
}

describe("Plugins of a kernel", (it) => {
  it("Plugins are applied in the order of their requirements, and otherwise in the listed order", () =>
    withKernel(definePlugins([user("b"), user("a"), [store()], clock()]), ({ plugins }) =>
      assert.equal(plugins, ["clock", "b", "a", "store"]),
    ));
  it("A plugin whose required slot no plugin provides is refused by name with FW_SLOT_EMPTY", async () => {
    const error = await throwsCode("FW_SLOT_EMPTY", () => openKernel([user("alarm")]));
    assert.match(error.message, /"alarm" requires "clock".*plugins\.config\.ts/);
  });
  it("FW_SLOT_EMPTY for a misspelled slot suggests the intended slot and lists the provided ones", async () => {
    const typo = definePlugin({ name: "alarm", requires: ["clok" as "clock"], apply: () => undefined });
    const error = await throwsCode("FW_SLOT_EMPTY", () => openKernel([clock(), store(), typo]));
    assert.match(error.message, /Did you mean "clock"\? .* Provided are: clock, store\./);
    assert.not.match(error.message, "clok()");
  });
  it("A plugin whose requires is not an array is refused with FW_PLUGIN_SHAPE", async () => {
    const text = definePlugin({ name: "alarm", requires: "clock" as never, apply: () => undefined });
    const error = await throwsCode("FW_PLUGIN_SHAPE", () => openKernel([clock(), text]));
    assert.match(error.message, 'the requires of "alarm" is a string, and no list');
  });
  it("Two plugins that both replace a slot are refused with FW_SLOT_TAKEN and the advice to leave one out", async () => {
    const error = await throwsCode("FW_SLOT_TAKEN", () =>
      openKernel([clock(), clock("sun", true), clock("moon", true)]),
    );
    assert.match(error.message, '"sun" and "moon" both replace "clock". Leave one of the two out');
  });
  it("A plugin that taps a hook during boot is refused with FW_TAP_LATE, which names the plugin, the hook and apply()", async () => {
    const late = definePlugin({
      name: "late",
      apply: ({ hooks }) => hooks.kernel.boot.tapPromise("late", async () => hooks.kernel.ready.tap("late", () => {})),
    });
    const error = await throwsCode("FW_TAP_LATE", () => openKernel([late]));
    assert.match(error.message, '"late" taps "kernel.ready" outside of apply()');
  });
  it("Two plugins that provide one slot are refused with FW_SLOT_TAKEN, unless one of them replaces the other", async () => {
    const error = await throwsCode("FW_SLOT_TAKEN", () => openKernel([clock("sun"), clock("moon")]));
    assert.match(error.message, /"sun" and "moon".*replaces/);
    await withKernel([clock("sun"), clock("moon", true), user("alarm")], (kernel) => {
      assert.is(kernel.service("clock").now(), "moon");
      assert.equal(kernel.plugins, ["moon", "alarm"]);
    });
  });
  it("A plugin that decorates a slot comes before any other plugin that uses it", () => {
    const louder = definePlugin({
      name: "louder",
      decorates: "clock",
      apply: ({ services }) => {
        const { now } = services.clock;
        return { now: () => now().toUpperCase() };
      },
    });
    let heard = "";
    const alarm = user("alarm", ({ services }) => (heard = services.clock.now()));
    return withKernel([alarm, louder, clock()], () => assert.is(heard, "CLOCK"));
  });
  it("Two plugins of one name are refused with FW_PLUGIN_DUPLICATE, and a cycle of requirements with FW_PLUGIN_CYCLE", async () => {
    await throwsCode("FW_PLUGIN_DUPLICATE", () => openKernel([clock(), user("x"), user("x")]));
    const a = definePlugin({
      name: "a",
      requires: ["store"],
      provides: "clock",
      hooks: clockHooks,
      apply: () => ({ now: () => "" }),
    });
    const b = definePlugin({ name: "b", requires: ["clock"], provides: "store", apply: () => ({ name: "" }) });
    const error = await throwsCode("FW_PLUGIN_CYCLE", () => openKernel([a, b]));
    assert.match(error.message, /a -> b -> a/);
  });
  it("A plugin factory that was not called is refused with FW_PLUGIN_SHAPE and its position in the list", async () => {
    const error = await throwsCode("FW_PLUGIN_SHAPE", () =>
      openKernel([clock(), (() => clock()) as unknown as Plugin]),
    );
    assert.match(error.message, /entry 2/);
  });
  it("An unknown option is refused with FW_OPTION_UNKNOWN and a suggestion, a value of a wrong type with FW_OPTION_INVALID", async () => {
    const rules = { interval: option.number, zone: option.string };
    const error = await throwsCode("FW_OPTION_UNKNOWN", () => checkOptions("clock", { intervall: 1 }, rules));
    assert.match(error.message, /Did you mean "interval"/);
    await throwsCode("FW_OPTION_INVALID", () => checkOptions("clock", { zone: 1 }, rules));
  });
});

describe("Hooks of a kernel", (it) => {
  it("A tap is refused when it is late, takes a callback, sets before or has a name other than its plugin's", async () => {
    await throwsCode("FW_TAP_NAME", () =>
      openKernel([clock(), user("alarm", ({ hooks }) => hooks.clock.tick.tap("alram", () => undefined))]),
    );
    await throwsCode("FW_TAP_BEFORE", () =>
      openKernel([
        clock(),
        user("alarm", ({ hooks }) => hooks.clock.tick.tap({ name: "alarm", before: "x" }, () => undefined)),
      ]),
    );
    await throwsCode("FW_TAP_CALLBACK", () =>
      openKernel([clock(), user("alarm", ({ hooks }) => hooks.clock.wait.tapAsync("alarm", (done) => done()))]),
    );
    await withKernel([clock()], (kernel) =>
      throwsCode("FW_TAP_LATE", () => kernel.slotHooks("clock").tick.tap("clock", () => undefined)),
    );
  });
  it("FW_TAP_FAILED names the plugin and the hook of a tap that throws or rejects, and keeps the cause", async () => {
    const cause = new Error("the spring broke");
    const sync = user("alarm", ({ hooks }) => {
      hooks.clock.tick.tap("alarm", () => {
        throw cause;
      });
      hooks.clock.wait.tapPromise("alarm", async () => {
        throw cause;
      });
    });
    await withKernel([clock(), sync], async (kernel) => {
      const { tick, wait } = kernel.slotHooks("clock");
      for (const run of [() => tick.call("noon"), () => wait.promise()]) {
        const error = await throwsCode("FW_TAP_FAILED", run);
        assert.match(error.message, /"alarm".*"clock\.(tick|wait)".*spring/);
        assert.is(error.cause, cause);
      }
    });
  });
  it("A tap of a synchronous hook that returns null or a promise fails with FW_TAP_ANSWER", async () => {
    const wrong = user("alarm", ({ hooks }) =>
      hooks.clock.ask.tap("alarm", (question) => (question === "null" ? null : Promise.resolve("x")) as never),
    );
    await withKernel([clock(), wrong], async (kernel) => {
      const { ask } = kernel.slotHooks("clock");
      await throwsCode("FW_TAP_ANSWER", () => ask.call("null"));
      await throwsCode("FW_TAP_ANSWER", () => ask.call("promise"));
    });
  });
  it("A query that a tap returns and nothing would run is refused, and not run", async () => {
    let ran = false;
    const run = () => {
      ran = true;
    };
    // biome-ignore lint/suspicious/noThenProperty: as a query builder has it
    const query = { then: run };
    const lazy = user("alarm", ({ hooks }) => hooks.clock.ask.tap("alarm", () => query as never));
    await withKernel([clock(), lazy], async (kernel) => {
      const error = await throwsCode("FW_TAP_ANSWER", () => kernel.slotHooks("clock").ask.call("query"));
      assert.match(error.message, "a query, or what else is awaited");
      assert.is(ran, false);
    });
  });
  it("A hook with keys is tapped for all or for one, guarded for each, and frozen with the others", async () => {
    class Post {}
    class Note {}
    const heard: string[] = [];
    const owner = definePlugin({
      name: "owner",
      provides: "keyed",
      hooks: () => ({ said: keyedHook<KeyedHooks["said"]>(["text"]) }),
      apply: () => ({}),
    });
    const listener = definePlugin({
      name: "listener",
      requires: ["keyed"],
      apply({ hooks }) {
        const { said } = hooks.keyed;
        said.for(Post).tapPromise("listener", async (text) => {
          if (text === "bad") throw new Error("no");
          heard.push(`post: ${text}`);
        });
        said.tap("listener", (text) => void heard.push(`all: ${text}`));
        assert.equal(said.keys(), [[Post, ["listener"]]]);
      },
    });
    await withKernel([owner, listener], async (kernel) => {
      const { said } = kernel.slotHooks("keyed");
      await said.promiseFor([Post], "a");
      await said.promiseFor([Note], "b");
      assert.equal(heard, ["all: a", "post: a", "all: b"]);
      const error = await throwsCode("FW_TAP_FAILED", () => said.promiseFor([Post], "bad"));
      assert.match(error.message, '"listener" failed in the hook "keyed.said(Post)"');
      await throwsCode("FW_TAP_LATE", async () => said.for(Note).tap("late", () => undefined));
      assert.equal(
        kernel
          .taps()
          .filter(({ plugin }) => plugin === "listener")
          .map(({ hook }) => hook),
        ["keyed.said", "keyed.said(Post)"],
      );
    });
  });
  it("A tap for one portal runs in that portal alone, and one for all in each", async () => {
    const heard: string[] = [];
    const plugin = definePlugin({
      name: "reader",
      requires: ["shelves"],
      apply({ hooks: { shelves }, tap }) {
        tap(shelves.opened, ({ portal }) => void heard.push(`admin ${portal}`), { portal: "AdminPortal" });
        shelves.opened.tap("reader", ({ portal }) => void heard.push(`all ${portal}`));
        shelves.named.tap({ name: "reader", portal: "AdminPortal" }, (name) => name.toUpperCase());
        shelves.closed.tapPromise({ name: "reader", portal: "AdminPortal" }, async ({ portal }) => {
          heard.push(`closed ${portal}`);
        });
        // @ts-expect-error it is called for no portal
        assert.throws(() => tap(shelves.swept, () => undefined, { portal: "AdminPortal" }), "for the portal");
      },
    });
    const calls: string[] = [];
    const kernel = await openKernel([plugin, shelves], { trace: ({ hook }) => void calls.push(hook) });
    const { opened, named, closed } = kernel.slotHooks("shelves");
    for (const portal of ["AdminPortal", "ShopPortal", undefined]) {
      opened.call({ portal });
      await closed.promise({ portal });
      heard.push(named.call("name", { portal }));
    }
    await kernel.close();
    const inAdmin = ["admin AdminPortal", "all AdminPortal", "closed AdminPortal", "NAME"];
    assert.equal(heard, [...inAdmin, "all ShopPortal", "name", "all undefined", "name"]);
    assert.is(calls.length, 6, "calls for other portals are not traced");
    const taps = kernel.taps().filter((one) => one.hook === "shelves.opened");
    assert.equal(
      taps.map((one) => one.portal),
      ["AdminPortal", undefined],
    );
  });
  it("A tap of kernel.layout that returns a number fails with FW_TAP_ANSWER, which names the expected kind of value", async () => {
    const odd = definePlugin({ name: "odd", apply: ({ hooks }) => hooks.kernel.layout.tap("odd", () => 5 as never) });
    await withKernel([odd], async (kernel) => {
      const error = await throwsCode("FW_TAP_ANSWER", () => kernel.hooks.layout.call({} as never));
      assert.match(error.message, /"odd".*"kernel\.layout".*a number.*a layout's name/);
    });
  });
  it("A plugin that replaces a slot without all of its hooks is refused with FW_HOOKS_MISSING", async () => {
    const bare = definePlugin({
      name: "bare",
      provides: "clock",
      replaces: true,
      hooks: () => ({}) as ClockHooks,
      apply: () => ({ now: () => "" }),
    });
    await throwsCode("FW_HOOKS_MISSING", () => openKernel([clock(), bare]));
  });
  it("A trace reports the hook, the plugin and the duration of each call, and taps() lists every tap", async () => {
    const calls: string[] = [];
    const alarm = user("alarm", ({ hooks }) => hooks.clock.tick.tap("alarm", () => undefined));
    const kernel = await openKernel([clock(), alarm], {
      trace: ({ hook, plugin, milliseconds }) => calls.push(`${hook} ${plugin} ${milliseconds >= 0}`),
    });
    kernel.slotHooks("clock").tick.call("noon");
    assert.equal(calls, ["clock.tick alarm true"]);
    assert.equal(
      kernel.taps().map(({ hook, plugin }) => `${hook} ${plugin}`),
      ["clock.tick alarm"],
    );
    await kernel.close();
  });

  it("A hook whose taps answer at once is called without a promise, and waits from the first tap on that waits", async () => {
    const called: string[] = [];
    const answers: (() => unknown)[] = [() => undefined, () => undefined];
    const awaited = (name: string, at: number) =>
      definePlugin({
        name,
        requires: ["clock"],
        apply({ hooks, tap }) {
          tap(hooks.clock.wait, () => {
            called.push(name);
            return answers[at]!() as Promise<void>;
          });
        },
      });
    await withKernel([clock(), awaited("alarm", 0), awaited("bell", 1)], async (kernel) => {
      const { wait } = kernel.slotHooks("clock");
      assert.is(callHook(wait), undefined);
      assert.equal(called.splice(0), ["alarm", "bell"]);

      let ring: () => void = () => undefined;
      const rung = new Promise<void>((done) => {
        ring = done;
      });
      answers[0] = () => rung;
      const waiting = callHook(wait);
      assert.instance(waiting, Promise);
      assert.equal(called.splice(0), ["alarm"]);
      ring();
      await waiting;
      assert.equal(called.splice(0), ["bell"]);

      const broken = () => {
        throw new Error("the spring broke");
      };
      answers[0] = broken;
      const error = await throwsCode("FW_TAP_FAILED", () => callHook(wait));
      assert.match(error.message, `the plugin "alarm" failed in the hook "clock.wait": the spring broke`);
      await throwsCode("FW_TAP_FAILED", () => wait.promise());
      answers[0] = async () => broken();
      await throwsCode("FW_TAP_FAILED", async () => callHook(wait));
      assert.equal(called.splice(0), ["alarm", "alarm", "alarm"]);

      const [alarm, bell] = tapsOf(wait);
      await throwsCode("FW_TAP_FAILED", async () => alarm!.call());
      assert.is(bell!.call(), undefined);
      assert.equal([alarm!.plugin, bell!.plugin], ["alarm", "bell"]);
    });
  });

  it("A plugin traces the taps of all plugins, also of those before it; where its trace returns none, taps are not wrapped", async () => {
    const calls: string[] = [];
    const tracing = (isOn: boolean, log: string[]) =>
      definePlugin({
        name: "tracing",
        trace: () => (isOn ? ({ hook, plugin }) => log.push(`${hook} ${plugin}`) : undefined),
        apply() {},
      });
    const tap = () => undefined;
    const alarm = user("alarm", ({ hooks }) => hooks.clock.tick.tap("alarm", tap));
    const kernel = await openKernel([clock(), alarm, tracing(true, calls)], { trace: ({ hook }) => calls.push(hook) });
    kernel.slotHooks("clock").tick.call("noon");
    assert.equal(calls, ["clock.tick", "clock.tick alarm"]);
    await kernel.close();
    const off: string[] = [];
    const silent = await openKernel([clock(), alarm, tracing(false, off)]);
    const none = await openKernel([clock(), alarm]);
    const code = (one: typeof kernel) => String(one.slotHooks("clock").tick.taps[0]!.fn);
    assert.is(code(silent), code(none));
    assert.is.not(code(silent), code(kernel));
    silent.slotHooks("clock").tick.call("noon");
    assert.equal(off, []);
    await silent.close();
    await none.close();
  });
});

describe("Life cycle of a kernel", (it) => {
  it("A kernel runs configure, load, boot, draw, ready and close in order, and onClose callbacks once and in reverse", async () => {
    const order: string[] = [];
    const note = (name: string) =>
      definePlugin({
        name,
        apply: ({ hooks, onClose }) => {
          for (const phase of ["configure", "boot", "ready", "close"] as const)
            hooks.kernel[phase].tap(name, () => void order.push(`${name} ${phase}`));
          onClose(() => void order.push(`${name} undone`));
        },
      });
    const kernel = await openKernel([note("a"), note("b")], {
      load: () => void order.push("load"),
      draw: () => void order.push("draw"),
    });
    await kernel.close();
    await kernel.close();
    const phases = [
      "a configure",
      "b configure",
      "load",
      "a boot",
      "b boot",
      "draw",
      "a ready",
      "b ready",
      "a close",
      "b close",
      "b undone",
      "a undone",
    ];
    assert.equal(order, phases);
  });
  it("A failed apply runs the onClose callbacks and rejects with FW_APPLY_FAILED, which names the plugin and the cause", async () => {
    const undone: string[] = [];
    const opens = definePlugin({ name: "opens", apply: ({ onClose }) => onClose(() => void undone.push("opens")) });
    const breaks = definePlugin({
      name: "breaks",
      apply: () => {
        throw new Error("no disk");
      },
    });
    const error = await throwsCode("FW_APPLY_FAILED", () => openKernel([opens, breaks]));
    assert.match(error.message, /"breaks".*no disk/);
    assert.equal(undone, ["opens"]);
  });
  it("An onClose callback that exceeds closeWithin fails with FW_CLOSE_FAILED, and the other callbacks still run", async () => {
    let closed = false;
    const close = () => {
      closed = true;
    };
    const first = definePlugin({ name: "first", apply: ({ onClose }) => onClose(close) });
    const hangs = definePlugin({
      name: "hangs",
      closeWithin: 20,
      apply: ({ onClose }) => onClose(() => new Promise(() => undefined)),
    });
    const kernel = await openKernel([first, hangs]);
    const error = await throwsCode("FW_CLOSE_FAILED", () => kernel.close());
    assert.match(error.message, /"hangs".*20 ms/);
    assert.ok(closed);
  });
  it("A tap of close that throws or exceeds closeWithin fails with FW_CLOSE_FAILED by its plugin's name, and the others still run", async () => {
    const closed: string[] = [];
    const closing = (name: string, close: () => unknown) =>
      definePlugin({
        name,
        closeWithin: 20,
        apply({ tap, hooks, onClose }) {
          tap(hooks.kernel!.close, async () => void (await close()));
          onClose(() => void closed.push(`undo ${name}`));
        },
      });
    const throws = () => {
      throw new Error("stuck");
    };
    const plugins = [
      closing("throws", throws),
      closing("hangs", () => new Promise(() => undefined)),
      closing("fine", () => closed.push("fine")),
    ];
    const kernel = await openKernel(plugins);
    const error = await throwsCode("FW_CLOSE_FAILED", () => kernel.close());
    assert.match(
      error.message,
      /"throws" failed in the hook "kernel.close": stuck.*"hangs".*"kernel.close" within 20 ms/,
    );
    assert.equal(closed, ["fine", "undo fine", "undo hangs", "undo throws"]);
  });
  it("An apply or boot tap that exceeds bootWithin fails with FW_APPLY_TIMEOUT or FW_TAP_TIMEOUT, naming its plugin", async () => {
    const never = () => new Promise<never>(() => undefined);
    const stuck = definePlugin({ name: "stuck", bootWithin: 20, apply: never });
    const applied = await throwsCode("FW_APPLY_TIMEOUT", () => openKernel([store(), stuck]));
    assert.match(applied.message, /"stuck".*20 ms/);
    for (const hook of ["configure", "boot", "ready"] as const) {
      const waits = definePlugin({
        name: "waits",
        bootWithin: 20,
        apply: ({ hooks }) => hooks.kernel[hook].tapPromise("waits", never),
      });
      const error = await throwsCode("FW_TAP_TIMEOUT", () => openKernel([waits]));
      assert.match(error.message, `"waits" did not finish in the hook "kernel.${hook}" within 20 ms`);
    }
  });
  it("A tap that runs after boot is not limited by bootWithin", async () => {
    const slow = definePlugin({
      name: "slow",
      bootWithin: 20,
      requires: ["clock"],
      apply: ({ hooks }) =>
        hooks.clock.wait.tapPromise("slow", () => new Promise((resolve) => setTimeout(resolve, 60))),
    });
    const kernel = await openKernel([clock(), slow]);
    await kernel.slotHooks("clock").wait.promise();
    await kernel.close();
  });
  it("A call of a hook without taps takes less than 5 µs", () =>
    withKernel([clock()], (kernel) => {
      const { tick } = kernel.slotHooks("clock");
      for (let index = 0; index < 10_000; index++) tick.call("warm");
      const start = performance.now();
      for (let index = 0; index < 100_000; index++) tick.call("now");
      const each = (performance.now() - start) / 100_000;
      assert.ok(each < within(0.005), `${each * 1000} µs a call`);
    }));
});

describe("Macros", (it) => {
  it("A macro is installed on objects, a second definition fails with FW_WORD_TAKEN, an unknown one with FW_WORD_UNKNOWN", async () => {
    const table = new MacroTable<{ said: string[] }>();
    table.define("clock", "chime", (self) => (what: string) => self.said.push(what));
    const error = await throwsCode("FW_WORD_TAKEN", () => table.define("other", "chime", () => () => undefined));
    assert.match(error.message, /"clock" and "other"/);
    const object = { said: [] as string[] } as { said: string[]; chime?: (what: string) => void; wizard?: () => void };
    table.install(object);
    object.chime!("noon");
    assert.equal(object.said, ["noon"]);
    assert.equal(Object.keys(object), ["said"]);
    const unknown = await throwsCode("FW_WORD_UNKNOWN", () =>
      withMacroErrors("PostDefinition", [object], () => object.wizard!(), {
        wizard: 'wizards() of "framewright/plugins/wizards"',
      }),
    );
    assert.match(unknown.message, /PostDefinition calls "wizard".*wizards\(\)/);
  });
});
