import { Context, Liquid } from "liquidjs";
import { DirectRender } from "../../plugins/views/direct.ts";
import { dispatchTime, hooksTime } from "../bench/micro.ts";
import { assert, describe } from "../support/index.ts";

const SLACK = 0.3; // microseconds: a machine that is busy measures less sharply than that

describe("speed", (it) => {
  it("finds a route among 10,000 as fast as among 10", () => {
    const few = dispatchTime(10);
    for (const routes of [1_000, 10_000]) {
      const many = dispatchTime(routes);
      assert.ok(many <= few * 2 + SLACK, `${many} µs of ${routes} routes, ${few} of 10`);
    }
  });

  it("spends less than 5 µs on all hooks of a request", () => {
    const time = hooksTime();
    assert.ok(time < 5, `${time} µs`);
  });
});

const locals = {
  title: "Salt & pepper",
  none: undefined,
  no: false,
  empty: [],
  names: ["a", "b", "c"],
  deep: {
    list: [
      { id: 1, name: "one" },
      { id: 2, name: "two" },
    ],
    key: "id",
  },
  count: 3,
};
const partials = {
  row: "[{{ name }}{% if last %}.{% endif %}{{ title }}]",
  nested: '{% assign x = item.name | upcase %}{{ x }}{% render "row", name: item.id, last: true %}',
};
const pieces = [
  "{{ title }} {{ title | upcase | append: '!' }} {{ missing }} {{ deep.list.first.name }} {{ names.size }} {{ names[1] }} {{ deep.list[0][deep.key] }}",
  "{% if no %}a{% elsif empty.size > 0 %}b{% else %}c{% endif %}{% if title and count >= 3 %}d{% endif %}{% unless none %}e{% endunless %}{% unless title %}f{% else %}g{% endunless %}",
  "{% for name in names %}{{ forloop.index }}{{ name }}{% if forloop.last == false %},{% endif %}{% else %}none{% endfor %}{% for x in empty %}{{ x }}{% else %}none{% endfor %}",
  "{% for name in names reversed limit: 2 %}{% if name == 'b' %}{% break %}{% endif %}{{ name }}{% endfor %}{% for name in names %}{% if name == 'b' %}{% continue %}{% endif %}{{ name }}{% endfor %}",
  "{% assign shout = title | upcase | split: ' ' %}{{ shout | join: '-' }}{{ shout }}{% capture kept %}<{{ title }}>{% endcapture %}{{ kept }}",
  '{% render "row", name: title, last: no %}{% for item in deep.list %}{% render "nested", item: item %}{% endfor %}{% render "row" for names as name %}{% render "row" with title as name %}',
  "{% case count %}{% when 1, 2 %}few{% when 3 %}three{% else %}many{% endcase %}{% cycle 'x', 'y' %}{{ deep.list | map: 'name' | join: ',' }}{{ none | default: 'nothing' }}{{ names | first }}{{ (1..3) | join: '' }}{% increment n %}",
];

describe("templates without generators", (it) => {
  const open = () => new Liquid({ templates: partials, outputEscape: "escape" });
  for (const piece of pieces) {
    it(`render as liquidjs does: ${piece.slice(0, 40)}…`, () => {
      const plain = open();
      const direct = open();
      Object.assign(direct, { renderer: new DirectRender(direct) });
      const context = () => new Context({ ...locals }, direct.options, { sync: true }, { liquid: direct });
      const expected = plain.renderSync(plain.parse(piece), { ...locals }) as string;
      const parsed = direct.parse(piece);
      assert.is(direct.renderSync(parsed, context()), expected);
      assert.is(direct.renderSync(parsed, context()), expected, "and the second time");
    });
  }
});
