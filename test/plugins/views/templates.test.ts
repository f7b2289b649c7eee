import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderSlotNames } from "framewright/plugins/views";
import { messages } from "../../../plugins/database/validation/messages.ts";
import { readCatalogue } from "../../../plugins/i18n/catalogues.ts";
import { openTexts } from "../../../plugins/i18n/texts.ts";
import { assert, describe } from "../../support/index.ts";

const root = join(import.meta.dirname, "../../..");
const sources = ["plugins", "host"].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:liquid|ts|js)$/.test(name))
    .map((name) => ({ name: join(room, name), text: readFileSync(join(root, room, name), "utf8") })),
);
const templates = sources.filter(({ name }) => name.endsWith(".liquid"));
const naming = (found: { name: string }[]) => found.map(({ name }) => name);

describe("Templates of the framework", (it) => {
  it("No template of the framework switches escaping off", () => {
    assert.ok(templates.length > 20);
    assert.equal(naming(templates.filter(({ text }) => /\|\s*raw\b/.test(text))), []);
  });

  it("No template of a page holds an inline script, style or event handler, which the policy forbids", () => {
    const inline = /<style|\sstyle=["$]|<script(?![^>]*\ssrc=)(?![^>]*application\/json)[^>]*>|\son[a-z]+="/i;
    const pages = templates.filter(({ name }) => !/mailer[/\\]views/.test(name)); // mail programs know no other style
    assert.equal(naming(pages.filter(({ text }) => inline.test(text))), []);
    const components = sources.filter(({ name }) => name.includes("resources/components"));
    assert.equal(naming(components.filter(({ text }) => /<style|\sstyle="|<script|\son[a-z]+="/.test(text))), []);
  });

  it("Every text that templates and code refer to is in the catalogue", () => {
    const texts = openTexts({ locale: "en" });
    const files = readdirSync(join(root, "plugins"), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => /(?:^|[/\\])en\.json$/.test(name)))
      texts.add("en", readCatalogue(join(root, "plugins", file)));
    const slots = renderSlotNames as readonly string[]; // "form.before_fields" is no text
    const known = (key: string) => texts.has(key) || texts.has(`${key}_other`) || slots.includes(key);
    const asked = sources.flatMap(({ name, text }) =>
      [
        ...text.matchAll(
          /\{\{-? *"([a-z]+\.[\w.]+)" \| t\b|"((?:framework|pager|resource|form)\.[a-z_]+(?:\.[a-z_]+)?)"/g,
        ),
      ].map((match) => ({ name, key: (match[1] ?? match[2]) as string })),
    );
    assert.ok(asked.length > 30);
    assert.equal(
      asked.filter(({ key }) => !known(key)),
      [],
    );
  });

  it("Every error of a validation has a text in the catalogue", () => {
    const { errors } = JSON.parse(readFileSync(join(root, "plugins/i18n/en.json"), "utf8")) as { errors: object };
    const given = sources.flatMap(({ text }) =>
      [...text.matchAll(/"errors\.([a-z_]+)"/g)].map((match) => match[1] as string),
    );
    const known = [...Object.keys(messages), ...given.filter((key) => key !== "custom")];
    assert.equal(
      known.filter((key) => !(key in errors)),
      [],
    );
  });
});
