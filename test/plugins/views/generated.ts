/** Numbers that are the same in every run. */
export function seeded(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % most;
  };
}

const names =
  "title none zero no yes empty list posts post records key number safe x y i item c nested drop counter missing forloop".split(
    " ",
  );
const keys =
  ".name .size .first .last .title .tags .author.name [0] [key] ['name'] .index .tick .known .price [zero] .length".split(
    " ",
  );
const literals = `"a" '<b>' 5 -1.5 true false nil empty blank "" 0 1 2 (1..3) (zero..2) "x" 3`.split(" ");
const operators = "== != > < >= <= contains and or".split(" ");
const filters = [
  ...["upcase", "size", "append: '<'", "default: title", "raw", "escape", "join: '-'", "first", "last", "slice: 0, 2"],
  ...[
    "split: ','",
    "map: 'name'",
    "where: 'name', 'One'",
    "plus: 1",
    "label",
    "json_script",
    "peek",
    "t",
    "shout: zero",
  ],
  ...["replace: 'a', \"'\"", "date", "sort", "reverse", "uniq", "compact", "concat: list", "asset_url", "truncate: 4"],
  ...["look", "gives_safe", "gives_list", "gives_record", "where_exp: 'p', 'p.name == x'", "times: i"],
];
const files = [
  "row",
  "counted",
  "assigns",
  "keeps",
  "deep",
  "leaf",
  "capturing",
  "include_assigns",
  "empty",
  "localed",
  "text",
];
const layouts = ["base", "nested", "looped", "scoped", "plain"];
const texts = ["a", " <p> ", "\n", "\n  ", `"\${x}"`, "</script>", "&amp;", "`", "\\", "'"];

/** Templates put together at random, the same ones in every run. */
export class Generator {
  readonly #next: (most: number) => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  template(): string {
    const body = this.#body(3);
    if (this.#next(12) > 0) return body;
    const blocks = ["head", "body", "inner", "each", "item"].filter(() => this.#next(2) === 0);
    const filled = blocks.map((name) => `{% block ${name} %}${this.#body(1)}{{ block.super }}{% endblock %}`);
    return `${this.#body(1)}{% layout "${this.#one(layouts)}" %}${filled.join(this.#body(1))}`;
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#next(all.length)] as T;
  }

  #body(depth: number): string {
    return Array.from({ length: 1 + this.#next(3) }, () => this.#node(depth)).join("");
  }

  #operand(): string {
    if (this.#next(4) === 0) return this.#one(literals);
    return this.#one(names) + Array.from({ length: this.#next(3) }, () => this.#one(keys)).join("");
  }

  #value(): string {
    return this.#operand() + Array.from({ length: this.#next(3) }, () => ` | ${this.#one(filters)}`).join("");
  }

  #condition(): string {
    const parts = Array.from({ length: this.#next(3) }, () => ` ${this.#one(operators)} ${this.#operand()}`);
    return (this.#next(8) === 0 ? "not " : "") + this.#operand() + parts.join("");
  }

  #tag(text: string): string {
    return `{%${this.#next(6) === 0 ? "-" : ""} ${text} ${this.#next(6) === 0 ? "-" : ""}%}`;
  }

  #node(depth: number): string {
    const flat = [this.#text, this.#output, this.#assign, this.#small, this.#partial];
    const deep = [this.#branch, this.#choice, this.#loop, this.#loop, this.#capture];
    const make = this.#one(depth > 0 ? [...flat, ...deep] : flat);
    return make.call(this, depth - 1);
  }

  #text(): string {
    return this.#one(texts);
  }
  #output(): string {
    if (this.#next(150) === 0) return `{{ title${this.#one(texts)} | date_of }}{% render "fails" %}`;
    return this.#next(6) === 0 ? `{{- ${this.#value()} -}}` : `{{ ${this.#value()} }}`;
  }
  #assign(): string {
    return this.#tag(`assign ${this.#one(["x", "y", "title", "item", "c", "i"])} = ${this.#value()}`);
  }
  #small(): string {
    if (this.#next(40) === 0) return this.#tag(this.#one(["break", "continue"]));
    const ways = [`increment ${this.#one(["n", "x"])}`, "decrement n", `echo ${this.#value()}`];
    return this.#tag(this.#one([...ways, `cycle "a", ${this.#operand()}`, "comment %}{{ x }}{% endcomment"]));
  }
  #partial(): string {
    const given = `, item: ${this.#operand()}, ${this.#one(["extra", "tag", "entry", "title"])}: ${this.#operand()}`;
    const file = this.#one(files);
    const way = this.#next(5);
    if (way === 0) return this.#tag(`include "${file}"${given}`);
    if (way === 1) return this.#tag(`render "${file}" for ${this.#operand()} as ${this.#one(["entry", "tag"])}`);
    if (way === 2) return this.#tag(`render "${file}" with ${this.#operand()} as x${given}`);
    return this.#tag(`render "${file}"${given}`);
  }
  #branch(depth: number): string {
    const kind = this.#one(["if", "if", "unless"]);
    const elsif = this.#next(3) === 0 ? this.#tag(`elsif ${this.#condition()}`) + this.#body(depth) : "";
    const other = this.#next(2) === 0 ? this.#tag("else") + this.#body(depth) : "";
    return this.#tag(`${kind} ${this.#condition()}`) + this.#body(depth) + elsif + other + this.#tag(`end${kind}`);
  }
  #choice(depth: number): string {
    const when = () => this.#tag(`when ${this.#operand()}, ${this.#one(literals)}`) + this.#body(depth);
    const other = this.#next(2) === 0 ? this.#tag("else") + this.#body(depth) : "";
    return this.#tag(`case ${this.#value()}`) + when() + when() + other + this.#tag("endcase");
  }
  #loop(depth: number): string {
    const variable = this.#one(["i", "item", "title", "p"]);
    const limits = [
      "",
      "",
      "",
      " limit: 2",
      " offset: 1 reversed",
      " offset: continue",
      ` limit: ${this.#one(literals)}`,
    ];
    const loop = `${variable} in ${this.#one(["list", "posts", "records", "(1..3)", "none", "nested", this.#operand()])}`;
    if (this.#next(8) === 0)
      return this.#tag(`tablerow ${loop} cols: 2`) + this.#body(depth) + this.#tag("endtablerow");
    const other = this.#next(3) === 0 ? this.#tag("else") + this.#body(depth) : "";
    const leave =
      this.#next(4) === 0 ? `{% if forloop.index == 2 %}{% ${this.#one(["break", "continue"])} %}{% endif %}` : "";
    const shown = this.#one(["", "{{ forloop.index }}", `{{ ${variable} }}{{ forloop.last }}`, "{{ forloop.rindex }}"]);
    return (
      this.#tag(`for ${loop}${this.#one(limits)}`) + shown + leave + this.#body(depth) + other + this.#tag("endfor")
    );
  }
  #capture(depth: number): string {
    const name = this.#one(["c", "x", "title"]);
    return this.#tag(`capture ${name}`) + this.#body(depth) + this.#tag(`endcapture`) + this.#tag(`echo ${name}`);
  }
}
