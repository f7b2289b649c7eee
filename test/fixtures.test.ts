import { committedTypes, generatedTypes, migrated } from "./support/fixture_types.ts";
import { edited, editedText } from "./support/fixtures.ts";
import { assert, describe } from "./support/index.ts";

const files = { "config/routes.ts": "mount(Admin); mount(Desk);" };

describe("The edits of a fixture", (it) => {
  it("An edit replaces a text, and every match of a global pattern", () => {
    assert.is(edited(files, "config/routes.ts", ["Admin", "Shop"]), "mount(Shop); mount(Desk);");
    assert.is(edited(files, "config/routes.ts", [/mount/g, "draw"], ["Admin", "$&"]), "draw($&); draw(Desk);");
    assert.is(editedText("a b", [/(a) (b)/, "$2 $1"]), "b a");
  });
  it("An edit fails and names the file and the text when the text is absent or ambiguous, or the file is", () => {
    assert.throws(
      () => edited(files, "config/routes.ts", ["Shop", "Admin"]),
      /config\/routes\.ts does not contain "Shop"/,
    );
    assert.throws(
      () => edited(files, "config/routes.ts", [/Shop/, "Admin"]),
      /config\/routes\.ts does not contain \/Shop\//,
    );
    assert.throws(() => edited(files, "config/routes.ts", ["mount", "draw"]), /contains "mount" 2 times/);
    assert.throws(
      () => edited(files, "config/route.ts", ["mount", "draw"]),
      /no file config\/route\.ts.*config\/routes\.ts/,
    );
    assert.throws(() => editedText("mount(Admin)", ["Shop", "Admin"]), /"mount\(Admin\)…" does not contain "Shop"/);
  });
});

describe("The types of fixtures", (it) => {
  for (const name of migrated)
    it(`The types of ${name} are those that its tables and routes give (npm run fixtures writes them)`, async () =>
      assert.is(committedTypes(name), await generatedTypes(name)));
});
