import { Liquid } from "liquidjs";
import { DirectRender } from "../../../plugins/views/direct.ts";
import { assert, describe } from "../../support/index.ts";

// liquidjs is the oracle: whatever a template says, rendered directly it gives the same text, or fails as well.

const partials: Record<string, string> = {
  row: "<li>{{ item.name }}{{ extra }}</li>",
  counted: "{{ forloop.index }}:{{ entry }};",
  assigns: "{% assign inner = 'x' %}{{ inner }}{{ outer }}",
  base: "<html>{% block head %}none{% endblock %}|{% block body %}{% endblock %}</html>",
};
const templates = {
  exists: async () => true,
  existsSync: () => true,
  readFile: async (file: string) => partials[file] ?? "",
  readFileSync: (file: string) => partials[file] ?? "",
  resolve: (_: string, file: string) => file,
};
const escaped = (value: unknown): string =>
  String(value ?? "").replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const make = () => {
  const liquid = new Liquid({ fs: templates, outputEscape: escaped, strictFilters: true, ownPropertyOnly: true });
  liquid.registerFilter(
    "shout",
    (value: unknown, times: unknown) => String(value).toUpperCase() + "!".repeat(Number(times ?? 1)),
  );
  return liquid;
};
const oracle = make();
const direct = make();
Object.assign(direct, { renderer: new DirectRender(direct) });

const data = {
  title: `</script><b>"Tom" & 'Jerry'</b>`,
  none: null,
  zero: 0,
  no: false,
  empty: "",
  list: ["a", "<b>", 3, null, ["x", ["y"]]],
  posts: [
    { name: "One", tags: ["t1", "t2"], author: { name: "Ada" } },
    { name: "<Two>", tags: [], author: null },
  ],
  nested: { "a b": { c: [{ d: "deep" }] }, size: 5 },
  key: "name",
  html: "{{ title }}",
  number: 12.5,
};

const corpus = `
{{ title }}
{{ title | upcase }}|{{ title | raw }}|{{ title | escape }}
{{ none }}{{ missing }}{{ missing.deep.er }}{{ zero }}{{ no }}{{ empty }}
{{ list }}|{{ list[1] }}|{{ list.size }}|{{ list.first }}|{{ list.last }}|{{ list[9] }}
{{ nested["a b"].c[0].d }}|{{ nested.size }}|{{ posts[0][key] }}|{{ posts.first.author.name }}
{{ html }}
{{ "literal <i>" }}{{ 'single' }}{{ 5 }}{{ -1.5 }}{{ true }}{{ nil }}
{{ number | plus: 2 | times: zero }}{{ number | round }}
{{ title | shout: 3 }}{{ title | shout }}
{{ posts | map: "name" | join: ", " }}
{{ posts | where: "name", "One" | size }}
{{ missing | default: "fallback <>" }}{{ no | default: "x", allow_false: true }}
{% if title %}yes{% else %}no{% endif %}
{% if none %}a{% elsif zero %}b{% else %}c{% endif %}
{% if empty == "" and zero == 0 or no %}both{% endif %}
{% if list contains "a" %}has{% endif %}{% unless no %}unless{% else %}else{% endunless %}
{% unless title %}x{% elsif zero %}elsif{% endunless %}
{% for post in posts %}{{ forloop.index }}{{ post.name }}{% for tag in post.tags %}[{{ tag }}]{% else %}(no tags){% endfor %}{% endfor %}
{% for item in list limit: 2 offset: 1 reversed %}{{ item }},{% endfor %}
{% for i in (1..5) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}after
{% for i in (1..3) %}{% for j in (1..3) %}{% if j == 2 %}{% break %}{% endif %}{{ i }}{{ j }} {% endfor %}{% endfor %}
{% case zero %}{% when 1 %}one{% when 0, 2 %}zero{% else %}other{% endcase %}
{% assign x = title | upcase %}{{ x }}{% assign x = 5 %}{{ x | plus: 1 }}
{% assign list2 = "a,b,c" | split: "," %}{{ list2[1] }}{{ list2 | join: "-" }}
{% capture c %}<{{ title }}>{% endcapture %}{{ c }}
{% increment n %}{% increment n %}{% decrement m %}{{ n }}
{% cycle "a", "b" %}{% cycle "a", "b" %}{% cycle "a", "b" %}
{% raw %}{{ title }}{% if %}{% endraw %}
{% comment %}{{ title }}{% endcomment %}after
{%- if title -%}   trimmed   {%- endif -%}   |
{{- title -}}   |  {{ zero -}}  x
{% liquid assign y = 1
if y == 1
echo title
endif %}
{% echo title | downcase %}
{% tablerow item in list cols: 2 %}{{ item }}{% endtablerow %}
{% render "row", item: posts[0], extra: title %}{% render "row", item: posts[1] %}
{% assign outer = "seen?" %}{% render "assigns" %}{{ inner }}
{% render "counted" for list as entry %}
{% render "row" with posts[0] as item %}
{% include "assigns" %}{{ inner }}
{% include "row", item: posts[0] %}
{% assign which = "row" %}{% include which, item: posts[1] %}
{% layout "base" %}{% block head %}{{ title }}{% endblock %}{% block body %}{% for p in posts %}{{ p.name }}{% endfor %}{% endblock %}
{% for p in posts %}{% render "row", item: p, extra: forloop.index %}{% endfor %}
{{ list | first | shout: 2 }}{{ posts | first | map: "name" }}
{% if posts.size > 1 %}{% if posts[1].author %}x{% else %}{{ posts[1].name }}{% endif %}{% endif %}
{{ title | nofilter }}
{% nosuchtag %}
{% for p in posts %}{{ p.author.name | upcase | append: "<" }}{% endfor %}
{{ nested }}{{ posts[0].constructor }}{{ list.constructor.name }}{{ title.length }}
{{ "a" | append: title | prepend: "<" | replace: "<", "&lt;" }}
{% assign t = true %}{% if t == true %}T{% endif %}{% if none == nil %}N{% endif %}{% if missing == blank %}B{% endif %}{% if list == empty %}E{% endif %}
`
  .trim()
  .split(/\n(?!if|echo|endif)/);

const outcome = (liquid: Liquid, template: string): string => {
  try {
    return liquid.parseAndRenderSync(template, structuredClone(data));
  } catch (error) {
    return `failed: ${(error as Error).message}`;
  }
};

describe("templates rendered directly", (it) => {
  it("give what liquidjs gives, for every construct and hostile data", () => {
    assert.ok(corpus.length > 45);
    for (const template of corpus) assert.is(outcome(direct, template), outcome(oracle, template), template);
  });
  it("give it again when they are rendered again", () => {
    const parsed = direct.parse(corpus.slice(0, 20).join("\n"));
    const [first, second] = [direct.renderSync(parsed, data), direct.renderSync(parsed, data)];
    assert.is(first, second);
    assert.is(first, oracle.renderSync(oracle.parse(corpus.slice(0, 20).join("\n")), data));
  });
  it("hold for templates put together at random", () => {
    let seed = 20_261_120;
    const next = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % most;
    };
    for (let round = 0; round < 300; round++) {
      const pieces = Array.from({ length: 1 + next(5) }, () => corpus[next(corpus.length)]!);
      const whole = pieces
        .filter((piece) => !piece.includes("layout") && !/nosuchtag|nofilter/.test(piece))
        .join(next(2) ? "\n" : "");
      const wrapped =
        next(3) === 0
          ? `{% for o in posts %}${whole}{% endfor %}`
          : next(3) === 0
            ? `{% if title %}${whole}{% endif %}`
            : whole;
      assert.is(outcome(direct, wrapped), outcome(oracle, wrapped), wrapped);
    }
  });
});
