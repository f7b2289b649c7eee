import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { raw } from "framewright";
import { openKernel, type Settings } from "framewright/kernel";
import { i18n } from "framewright/plugins/i18n";
import { type ViewOptions, type Views, views } from "framewright/plugins/views";
import { withFilterHints } from "../../../plugins/views/filter_hints.ts";
import type { Filter, FilterScope } from "../../../plugins/views/filters.ts";
import { LiquidEngine } from "../../../plugins/views/liquid_engine.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";

function folder(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "fw-compiled-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}
async function open(
  files: Record<string, string>,
  options?: ViewOptions,
  env = "production",
  values: Record<string, string> = {},
): Promise<Views> {
  const settings = { root: "", env, values } as unknown as Settings;
  const kernel = await openKernel([i18n(), views(options)], { settings });
  const service = kernel.service("views");
  service.addRoot({ directory: folder(files), rank: "application" });
  return service;
}
const ways = (service: Views) =>
  (service.templates?.(undefined) ?? []).map((way) => (way.compiled ? "compiled" : way.why));

describe("Rendering mode of templates", (it) => {
  const files = { "page.liquid": "{% render 'part' %}", "_part.liquid": "{{ a }}", "odd.liquid": "\n{% render a %}" };

  it("Each template is listed as compiled, or as interpreted with the reason", async () => {
    const service = await open(files);
    const listed = service.templates?.(undefined) ?? [];
    assert.equal(
      listed.map(({ file }) => file.split("/").at(-1)),
      ["odd.liquid", "page.liquid"],
    );
    assert.equal(ways(service), ["a partial whose name is computed while rendering (line 2)", "compiled"]);
    assert.is(service.render({ names: ["odd"], locals: { a: "part" } }), "\npart");
  });

  it("The syntax error of a template is listed as the reason why it is not compiled", async () => {
    const [why] = ways(await open({ "page.liquid": "\n{% if a %}" }));
    assert.match(why as string, /page\.liquid:2:1: tag \{% if a %\} not closed/);
  });

  it("All templates are interpreted when an option or FW_VIEWS_COMPILE switches compilation off", async () => {
    const off = Array(2).fill("compilation is switched off");
    const service = await open(files, { compile: false });
    assert.equal(ways(service), off);
    assert.is(service.render({ names: ["page"], locals: { a: "<" } }), "&lt;");
    assert.equal(ways(await open(files, {}, "production", { FW_VIEWS_COMPILE: "off" })), off);
  });

  it("Templates are interpreted in a process that forbids code from strings", () => {
    const script = `
      import { LiquidEngine } from ${JSON.stringify(join(import.meta.dirname, "../../../plugins/views/liquid_engine.ts"))};
      const engine = new LiquidEngine([${JSON.stringify(folder(files))}], new Map(), { watch: false, compile: true });
      const file = engine.finder.resolve("page");
      console.log(JSON.stringify([engine.render(file, { a: "<" }).html, engine.modeOf(file)]));`;
    const flags = [...process.execArgv, "--disallow-code-generation-from-strings", "--input-type=module", "-e", script];
    const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
    assert.is(stdout.trim(), `["&lt;",{"compiled":false,"why":"this process forbids code from strings"}]`, stderr);
  });

  it("A changed partial switches its template between compiled and interpreted in development", async () => {
    const root = folder({ "page.liquid": "{% render 'part' %}", "_part.liquid": "one" });
    const engine = new LiquidEngine([root], new Map(), { watch: true, compile: true });
    const file = engine.finder.resolve("page");
    const seen = ["one", "{% include a %}", "two"].map((text, time) => {
      writeFileSync(join(root, "_part.liquid"), text);
      utimesSync(join(root, "_part.liquid"), time + 1, time + 1);
      engine.refresh();
      return [engine.modeOf(file).compiled, text.includes("%") ? "" : engine.render(file, {}).html];
    });
    assert.equal(seen, [
      [true, "one"],
      [false, ""],
      [true, "two"],
    ]);
  });
});

describe("Compiled templates", (it) => {
  const engine = (text: string, filters: Record<string, Filter>) => {
    const one = new LiquidEngine([folder({ "page.liquid": text })], new Map(Object.entries(filters)), {
      watch: false,
      compile: true,
    });
    return (locals: Record<string, unknown>) => one.render(one.finder.resolve("page"), locals).html;
  };

  it("A pure filter of a constant is evaluated once by a compiled template", () => {
    let calls = 0;
    const counted = (value: unknown) => `<${value}${++calls}>`;
    const render = engine("{{ 'a' | pure }}{{ 'b' | other }}{{ x | pure }}", {
      pure: withFilterHints((value: unknown) => counted(value), { pure: true }),
      other: counted,
    });
    assert.is(render({ x: "c" }), "&lt;a1&gt;&lt;b2&gt;&lt;c3&gt;");
    assert.is(render({ x: "c" }), "&lt;a1&gt;&lt;b4&gt;&lt;c5&gt;");
  });

  it("A steady filter of constants is evaluated once for each value of what it reads, also in a page within a page", () => {
    const calls: string[] = [];
    const given = (place: unknown, key: unknown) => {
      calls.push(`${key} ${place}`);
      return `<${key} ${place}>`;
    };
    const read = function (this: FilterScope, key: unknown) {
      return given(this.context.getSync(["site", "place"]), key);
    };
    const text = "{{ 'a' | there }}-{{ page | within }}-{{ 'b' | there }}{% if more %}{{ 'c' | there }}{% endif %}";
    const render: (locals: Record<string, unknown>) => string = engine(text, {
      there: withFilterHints(read as Filter, { reads: ["site", "place"], steady: true, given }),
      within: (locals) => (locals ? raw(render(locals as Record<string, unknown>)) : ""),
    });
    const [north, south] = [{ site: { place: "north" } }, { site: { place: "south" } }];
    const [inNorth, inSouth] = ["&lt;a north&gt;--&lt;b north&gt;", "&lt;a south&gt;--&lt;b south&gt;"];
    assert.is(render({ ...north, page: south }), `&lt;a north&gt;-${inSouth}-&lt;b north&gt;`);
    assert.is(render({ ...south, page: north }), `&lt;a south&gt;-${inNorth}-&lt;b south&gt;`);
    assert.is(render({ ...south, more: true }), `${inSouth}&lt;c south&gt;`);
    assert.equal(calls, ["a north", "a south", "b south", "b north", "c south"]);
    assert.is(render({ page: north }), `&lt;a undefined&gt;-${inNorth}-&lt;b undefined&gt;`);
  });

  it("A variable of the template's own that a steady filter reads is read each time", () => {
    const given = (place: unknown, key: unknown) => `${key} ${place} `;
    const read = function (this: FilterScope, key: unknown) {
      return given(this.context.getSync(["place"]), key);
    };
    const text =
      "{{ 'a' | there }}{% for place in places %}{{ 'a' | there }}{% endfor %}{% assign place = 'set' %}{{ 'a' | there }}";
    const render = engine(text, { there: withFilterHints(read as Filter, { reads: ["place"], steady: true, given }) });
    assert.is(render({ place: "x", places: ["y", "z"] }), "a x a y a z a set ");
  });

  it("An error in a compiled template names the right line, also after a nested rendering of the same template", async () => {
    const again = { depth: 0 };
    const render: (locals: Record<string, unknown>) => string = engine("{{ a | again }}\n\n{{ b | again }}", {
      again: (value) => {
        if (value === "fail") throw new Error("failed");
        if (value === "inner" && again.depth++ === 0) return render({ a: "1", b: "2" });
        return value;
      },
    });
    const error = await throwsCode("FW_VIEW_FAILED", async () => render({ a: "inner", b: "fail" }));
    assert.match(error.message, /page\.liquid:3:1: failed/);
    const first = await throwsCode("FW_VIEW_FAILED", async () => render({ a: "fail", b: "" }));
    assert.match(first.message, /page\.liquid:1:1: failed/);
  });
});
