import { assert, describe } from "../../support/index.ts";
import { withoutEchoes } from "../../testing/tenancy_audit/echoes.ts";
import { sampleTexts } from "../../testing/tenancy_audit/sample_texts.ts";

const mark = "mk0123456789abcd";
const url = `/customer/own/labels?organization_id=${mark}-slug&q=a%20b`;
const left = (text: string, status = 200, sent: object = {}) => withoutEchoes(text, { url, ...sent }, status);

describe("Echoes of a request", (it) => {
  const echoes = {
    "as it was sent": `<a href="${url}">`,
    "escaped in HTML": `<input type="hidden" name="return_to" value="${url.replaceAll("&", "&amp;")}">`,
    "in an address": `/login?return_to=${encodeURIComponent(url)}`,
    "in an address of an address": encodeURIComponent(`/login?return_to=${encodeURIComponent(url)}`),
    "in JSON": JSON.stringify({ self: `"${url}"` }),
    "a pair of the query": `<a href="?page=2&amp;organization_id=${mark}-slug">`,
    "a hidden field": `<input type="hidden" class="x" name="organization_id" value="${mark}-slug">`,
  };
  for (const [form, text] of Object.entries(echoes))
    it(`${form}: nothing of it is left`, () => assert.is(left(text).includes(mark), false, left(text)));

  const others = {
    "a link to the other tenant": `<a href="/customer/${mark}-slug/labels">`,
    "a heading": `<h1>${mark}-slug</h1>`,
    "a field of another name": `<input name="slug" value="${mark}-slug">`,
    "a longer text": `?organization=${mark}-slug`,
  };
  for (const [form, text] of Object.entries(others)) it(`${form} is none`, () => assert.is(left(text), text));

  it("A refusal may repeat the path and what it names, a page may not", () => {
    const sent = { url: `/customer/own/labels/${mark}-label.json` };
    for (const text of [`No label ${mark}-label`, `Not found: ${sent.url}`]) {
      assert.is(left(text, 404, sent).includes(mark), false);
      assert.ok(left(text, 200, sent).includes(mark));
    }
  });

  it("A form that was refused shows what was sent", () => {
    const sent = { url: "/x", type: "application/x-www-form-urlencoded", body: `label%5Bname%5D=${mark}+name` };
    assert.is(left(`<input name="label[name]" value="${mark} name">`, 422, sent).includes(mark), false);
    assert.is(left(`<textarea name="label[name]">\n${mark} name</textarea>`, 422, sent).includes(mark), false);
    assert.ok(left(`<input name="label[slug]" value="${mark} name">`, 422, sent).includes(mark));
  });
});

describe("Samples of texts", (it) => {
  const formats = {
    colour: /^#[0-9a-f]{6}$/i,
    email: /^[^@\s]+@[^@\s]+\.\w+$/,
    url: /^https:\/\/\S+$/,
    slug: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    telephone: /^\+\d{9,15}$/,
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    time: /^\d\d:\d\d$/,
    "upper case": /^[A-Z]{2}$/,
    digits: /^\d{5}$/,
    letters: /^[a-z]+$/,
    currency: /^[A-Z]{3}$/,
    json: /^\{.*\}$/,
  };
  for (const [name, format] of Object.entries(formats))
    it(`One has the format ${name}: ${format}`, () => {
      const texts = sampleTexts({ name: "column" }, { text: mark, count: 12 });
      assert.ok(texts.some((text) => format.test(text)));
    });
  it("They have the length that a rule wants, and a type's format comes first", () => {
    const of = (length: object) => sampleTexts({ name: "code", rules: { length } }, { text: mark, count: 12 });
    assert.ok(of({ is: 6 }).length > 0 && of({ is: 6 }).every((text) => text.length === 6));
    assert.ok(of({ minimum: 40, maximum: 50 }).every((text) => text.length >= 40 && text.length <= 50));
    for (const [as, format] of Object.entries({ color: formats.colour, email: formats.email, tel: formats.telephone }))
      assert.match(sampleTexts({ name: "any", as }, { text: mark, count: 12 })[0]!, format);
  });
});
