import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { InFlight } from "framewright/kernel";
import { bootApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";

const MB = 1_048_576;
const KB_EACH = 60;
const TIMES = 600;
const files = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { i18n } from "framewright/plugins/i18n";
    import { sessions } from "framewright/plugins/sessions"; import { views } from "framewright/plugins/views";
    export default definePlugins([i18n(), sessions(), views()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => routes.get("page", { to: "pages#show" }));`,
  "app/views/pages/show.liquid": `<p>{{ request.id }}</p>{{ text }}`,
  "app/controllers/pages_controller.ts": `import { BaseController } from "framewright";
    export default class PagesController extends BaseController { static override guests = "admit" as const;
      show() {
        const text = Array.from({ length: ${KB_EACH} }, (_, at) => String(at % 10).repeat(1024)).join("");
        return this.render("show", { layout: "none", locals: { text } });
      }
    }`,
};

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const old = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")!.space_used_size;
/** By how many MB what is old grows, at most, while something is done again and again. */
async function grown(work: () => unknown, times: number): Promise<number> {
  for (let turn = 0; turn < 50; turn++) await work();
  collect(); // what there is now is old from here on
  const begin = old();
  let most = begin;
  for (let turn = 0; turn < times; turn++) {
    await work();
    most = Math.max(most, old());
  }
  return (most - begin) / MB;
}

describe("Memory", (it) => {
  it("Answered pages do not accumulate in the old generation of the heap", async () => {
    const app = await bootApp(files);
    try {
      const growth = await grown(async () => {
        const text = await (await app.request("/page")).text();
        assert.ok(/^<p>[0-9a-f-]{36}<\/p>0/.test(text), text.slice(0, 80));
      }, TIMES);
      assert.ok(growth < (KB_EACH * TIMES) / 1024 / 2, `${growth} MB`);
    } finally {
      await app.close();
    }
  });

  it("Entries that were removed from InFlight are not retained", async () => {
    const seats = new InFlight<{ filled: number[]; seat: number }>();
    const open: { filled: number[]; seat: number }[] = [];
    const growth = await grown(() => {
      const thing = { filled: new Array<number>(2500).fill(0.5), seat: -1 };
      thing.seat = seats.add(thing);
      open.push(thing);
      if (open.length < 5) return;
      const done = open.shift()!;
      seats.remove(done.seat, done);
    }, 10_000);
    assert.is([...seats].length, 4);
    assert.ok(growth < 10, `${growth} MB`);
  });

  it("Removing an InFlight entry twice keeps the entry that has taken over its index", () => {
    const seats = new InFlight<{ name: string }>();
    const [first, second] = [{ name: "first" }, { name: "second" }];
    const seat = seats.add(first);
    seats.remove(seat, first);
    assert.is(seats.add(second), seat);
    seats.remove(seat, first);
    assert.equal([...seats], [second]);
  });
});
