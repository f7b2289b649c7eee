import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Feature } from "framewright/plugins/authlib";
import { Changes } from "../../generators/support/changes.ts";
import { addNamedImports } from "../../generators/support/imports.ts";
import { findList, insertEntry } from "../../generators/support/list_literal.ts";
import { tablesOf } from "../../generators/support/migrations.ts";
import { packageDirectory } from "../../generators/support/package.ts";
import { addPlugins } from "../../generators/support/plugins_config.ts";
import { renderFile } from "../../generators/support/template.ts";
import { catalogue, directoryOf, featureEntry, schemaOf } from "../../plugins/authlib/feature_catalogue.ts";
import { selectFeatures } from "../../plugins/authlib/generators/account/features.ts";
import { featuresIn } from "../../plugins/authlib/generators/account/plugin_file.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { temporaryFolder } from "./support.ts";

const path = "plugins.config.ts";
function withPlugins(text: string, ...names: string[]): string {
  const changes = new Changes(temporaryFolder());
  changes.create(path, text);
  addPlugins(changes, names);
  addPlugins(changes, names); // a second time changes nothing
  return changes.read(path)!;
}
const all = ["jobs", "mailer", "passwords", "authlib"];

describe("Plugins added to an application's list", (it) => {
  it("Plugins are added after assets with their imports, and comments stay where they are", () => {
    const text = [
      'import { definePlugins } from "framewright";',
      'import { assets } from "framewright/plugins/assets";',
      "",
      "// definePlugins([ is explained elsewhere",
      "export default definePlugins([",
      "  views({ roots: [1, 2] }), // pages",
      "  assets(), // files, [of all kinds]",
      "  // what follows is ours",
      "  portals(),",
      "]);",
      "",
    ].join("\n");
    const after = withPlugins(text, ...all);
    const lines = after.split("\n");
    const at = lines.indexOf("  assets(), // files, [of all kinds]");
    assert.equal(lines.slice(at + 1, at + 7), [
      "  jobs(),",
      "  mailer(),",
      "  passwords(),",
      "  authlib(),",
      "  // what follows is ours",
      "  portals(),",
    ]);
    for (const name of all) assert.match(after, `import { ${name} } from "framewright/plugins/${name}";`);
    const mine = (line: string) => !all.some((name) => line.includes(`${name}()`) || line.includes(`{ ${name} }`));
    assert.is(lines.filter(mine).join("\n"), text);
  });

  it("A list that has all plugins of the framework at once is left as it is", () => {
    for (const entry of ["standard", "...standard"]) {
      const text = `import standard from "framewright/plugins.config";\nexport default definePlugins([${entry}, mine()]);\n`;
      assert.is(withPlugins(text, ...all), text);
    }
    const unused = `import standard from "framewright/plugins.config";\nexport default definePlugins([mine()]);\n`;
    assert.match(withPlugins(unused, "jobs"), "mine(), jobs()");
  });

  for (const [sentence, before, after] of [
    [
      "on one line",
      "definePlugins([views(), assets(), portals()])",
      "definePlugins([views(), assets(), jobs(), portals()])",
    ],
    [
      "without assets, at its end",
      "definePlugins([\n  views(),\n  mine()\n]);",
      "definePlugins([\n  views(),\n  mine(),\n  jobs(),\n]);",
    ],
    ["that is empty", "definePlugins([]);", "definePlugins([jobs()]);"],
    ["that is empty, on two lines", "definePlugins([\n]);", "definePlugins([\n  jobs(),\n]);"],
    [
      "that has it in a comment",
      "definePlugins([\n  assets(),\n  // jobs(),\n]);",
      "definePlugins([\n  assets(),\n  jobs(),\n  // jobs(),\n]);",
    ],
    [
      "that has it already, with options",
      'definePlugins([assets({ a: "]" }), jobs({ poll: 1 })]);',
      'definePlugins([assets({ a: "]" }), jobs({ poll: 1 })]);',
    ],
    [
      "with tabs and no comma at the end",
      "definePlugins([\n\tassets() /* last */\n])",
      "definePlugins([\n\tassets(), /* last */\n\tjobs(),\n])",
    ],
  ] as const) {
    it(`The plugin jobs appears once after it was added to a list ${sentence}`, () => {
      const imports = after === before ? "" : 'import { jobs } from "framewright/plugins/jobs";\n';
      assert.is(withPlugins(before, "jobs"), imports + after);
    });
  }

  it("FW_PLACE_MISSING names the imports and entries to add where there is no list of plugins", async () => {
    const error = await throwsCode("FW_PLACE_MISSING", () =>
      withPlugins("export default plugins;", "jobs", "jwtTokens"),
    );
    assert.match(error.message, 'import { jobs } from "framewright/plugins/jobs";');
    assert.match(error.message, 'import { jwtTokens } from "framewright/plugins/jwt";');
    assert.match(error.message, "jobs(), jwtTokens(),");
  });
});

describe("The list of features in source code", (it) => {
  it("A list is found after other arguments and not in comments or strings, and takes entries at given places", () => {
    const text =
      '// features(A, [no()])\nconst a = "features(A, [no()])";\nclass B extends features(mix(A, [x()]), [login({ phases: 2 }), ...more, logout()]) {}';
    const list = findList(text, "features")!;
    assert.equal(
      list.entries.map(({ name }) => name),
      ["login", "more", "logout"],
    );
    assert.match(insertEntry(text, list, "otp()", list.entries[0]), "[login({ phases: 2 }), otp(), ...more, logout()]");
    assert.match(insertEntry(text, list, "otp()"), "[otp(), login(");
  });
  it("A list in a variable is not found, while its features are recognised", () => {
    assert.is(findList("features(A, list)", "features"), undefined);
    assert.equal(featuresIn("const list = [otp(), login()];\nclass B extends features(A, list) {}"), ["login", "otp"]);
  });
});

describe("Named imports", (it) => {
  const add = (text: string, ...names: string[]) => {
    const changes = new Changes(temporaryFolder());
    changes.create(path, text);
    addNamedImports(changes, path, names, "x/y");
    return changes.read(path)!;
  };
  for (const [before, after] of [
    ['import { a, b } from "x/y";\n', 'import { a, b, c } from "x/y";\n'],
    ["import { a } from 'x/y'\n", "import { a, c } from 'x/y'\n"],
    ['import {\n  a,\n  b,\n} from "x/y";\n', 'import {\n  a,\n  b,\n  c,\n} from "x/y";\n'],
    ['import z from "z";\n', 'import z from "z";\nimport { c } from "x/y";\n'],
    ['import { a } from "z";\nimport { b } from "x/y";\n', 'import { a } from "z";\nimport { b, c } from "x/y";\n'],
    ['import { c } from "z";\n', 'import { c } from "z";\n'],
  ] as const) {
    it(`The name c is imported once after it was added to ${JSON.stringify(before)}`, () =>
      assert.is(add(before, "c"), after));
  }
});

describe("The catalogue of features", (it) => {
  it("The catalogue states the name, requirements, directory and tables of every feature", async () => {
    for (const entry of catalogue) {
      const from = (await import(entry.from)) as unknown as Record<string, () => Feature>;
      const feature = from[entry.factory]!();
      assert.is(feature.name, entry.name);
      assert.equal(feature.requires, entry.requires, entry.name);
      assert.is(relative(packageDirectory, feature.directory), directoryOf(entry));
      const schema = join(packageDirectory, schemaOf(entry));
      const tables = existsSync(schema) ? tablesOf(renderFile(schema, { account: "a", table: "as" })) : [];
      assert.equal(
        tables,
        feature.tables.map((name) => `a_${name}`),
        entry.name,
      );
    }
  });
  it("The catalogue starts with login, ends with audit_logging, and lists each feature after what it requires", () => {
    assert.is(catalogue[0]!.name, "login");
    assert.is(catalogue.at(-1)!.name, "audit_logging");
    for (const { name, order, requires } of catalogue)
      for (const needed of requires) assert.ok(featureEntry(needed)!.order < order, `${needed} before ${name}`);
    assert.is(schemaOf(featureEntry("jwt_refresh")!), "plugins/jwt/features/jwt_refresh/schema.liquid");
    assert.is(directoryOf(featureEntry("otp")!), "plugins/authlib/features/otp");
  });
  it("The selected features are the defaults and the flagged ones in catalogue order, with what they require", () => {
    const names = (options: Record<string, boolean>, present?: string[]) =>
      selectFeatures(options, present).features.join(" ");
    const defaults = names({});
    assert.match(defaults, /^login logout remember create_account verify_account/);
    assert.is(names({ defaults: true }), defaults);
    assert.is(names({ recoveryCodes: true }), `${defaults} otp recovery_codes`);
    assert.is(names({ only: true, recoveryCodes: true, webauthn: true }), "login recovery_codes webauthn");
    assert.is(names({ recoveryCodes: true }, ["login", "webauthn"]), "recovery_codes");
    assert.is(names({ only: true, verifyAccount: true }), "login create_account verify_account");
    assert.is(names({ apiOnly: true, jwtRefresh: true }), "login logout lockout jwt jwt_refresh");
    assert.is(
      names({ kitchenSink: true }),
      catalogue
        .map(({ name }) => name)
        .filter((name) => name !== "oidc_login" && name !== "tenant_sso") // fw:authlib:oidc and fw:authlib:sso add them
        .join(" "),
    );
    assert.is(names({ otp: true }, ["login"]), "otp");
    assert.is(names({}, ["login"]), "");
    assert.equal(selectFeatures({ recoveryCodes: true }, ["login"]).added, [{ name: "otp", by: "recovery_codes" }]);
  });
});
