import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { raw } from "framewright/host";
import { openTexts } from "../../../plugins/i18n/texts.ts";
import { type Filter, standardFilters } from "../../../plugins/views/filters.ts";
import { LiquidEngine } from "../../../plugins/views/liquid_engine.ts";
import { Post } from "./data.ts";

const folder = join(import.meta.dirname, "corpus");
const signs: Record<string, string> = { "¶": "\n", "§": "\u2028", "¤": "\u2029" };

/** The lines of a corpus: "¶" is a new line, "§" and "¤" are the separators that ended strings in old JavaScript. */
export const corpus = (name: string): string[] =>
  readFileSync(join(folder, `${name}.txt`), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map((line) => line.replace(/[¶§¤]/g, (sign) => signs[sign] as string));

export function partials(): Record<string, string> {
  const files = corpus("partials").map((line) => {
    const [, name = "", text = ""] = /^([\w/]+): (.*)$/s.exec(line) ?? [];
    return [`${name}.liquid`, text] as const;
  });
  return Object.fromEntries(files);
}

type Reading = { context: { getSync(path: string[]): unknown } };
const odd: Record<string, Filter> = {
  shout: (value, times) => String(value).toUpperCase() + "!".repeat(Number(times) || 1),
  peek(this: Reading) {
    return this.context.getSync(["title"]);
  },
  look(this: Reading, name: unknown) {
    return this.context.getSync([String(name)]);
  },
  date_of() {
    throw new Error("not a date");
  },
  gives_iterator: (value) =>
    (function* () {
      yield 1;
      return `${value}!`;
    })(),
  gives_safe: (value) => raw(`<${value}>`),
  gives_list: (value) => [value, raw("<b>"), "<i>", null, [1n]],
  gives_record: () => new Post(),
  gives_drop: () => new Post().drop,
  asset_url: (name) => `/assets/${name}`,
} as Record<string, Filter>;

function filters(): Map<string, Filter> {
  const texts = openTexts({ locale: "en" });
  texts.add("en", { hostile: { hello: "Hello <b>", named: "To {{name}}" } });
  texts.add("de", { hostile: { hello: "Hallo", named: "An {{name}}" } });
  return new Map(Object.entries({ ...standardFilters(texts, true), ...odd }));
}

/** Renders each template both ways: compiled, and by liquidjs. */
export class Oracle {
  readonly #compiled: LiquidEngine;
  readonly #plain: LiquidEngine;
  readonly #root: string;
  #count = 0;
  /** Why templates were not compiled, by their text. */
  readonly interpreted = new Map<string, string>();

  constructor(files: Readonly<Record<string, string>> = partials(), directories: readonly string[] = []) {
    this.#root = mkdtempSync(join(tmpdir(), "fw-oracle-"));
    for (const [name, text] of Object.entries(files)) this.#write(name, text);
    const all = [this.#root, ...directories];
    this.#compiled = new LiquidEngine(all, filters(), { watch: false, compile: true });
    this.#plain = new LiquidEngine(all, filters(), { watch: false, compile: false });
  }

  get count(): number {
    return this.#count;
  }

  /** How the two ways differ, in a line that says where; undefined where they don't. */
  difference(text: string, data: () => Record<string, unknown>): string | undefined {
    const { ours, theirs } = this.text(text, data);
    return ours === theirs ? undefined : `${text}\ncompiled: ${ours}\nliquidjs: ${theirs}`;
  }

  /** A template by its text: what both ways give, or how they fail. */
  text(text: string, data: () => Record<string, unknown>): { ours: string; theirs: string } {
    return this.file(this.#write(`case_${this.#count}.liquid`, text), data, text);
  }

  file(file: string, data: () => Record<string, unknown>, name = file): { ours: string; theirs: string } {
    this.#count++;
    const way = this.#compiled.modeOf(file);
    if (!way.compiled) this.interpreted.set(name, way.why);
    return { ours: outcome(this.#compiled, file, data()), theirs: outcome(this.#plain, file, data()) };
  }

  #write(name: string, text: string): string {
    const file = join(this.#root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }
}

/** The text and what was assigned; of an error, its file, line and reason. */
function outcome(engine: LiquidEngine, file: string, data: Record<string, unknown>): string {
  try {
    const { html, assigned } = engine.render(file, data);
    return `${html}\0${inspect({ ...assigned }, { depth: 4, sorted: true })}`;
  } catch (error) {
    return `failed: ${(error as Error).message.replace(/(:\d+):\d+: /, "$1: ")}`;
  }
}
