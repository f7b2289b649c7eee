import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runCommand, runFw, snapshot, temporaryFolder } from "./support.ts";

const g = (app: string, ...words: string[]) => fwOk(app, "g", ...words);
const read = (app: string, path: string) => readFileSync(join(app, path), "utf8");
const edit = (app: string, path: string, change: (text: string) => string) =>
  writeFileSync(join(app, path), change(read(app, path)));
const migrations = (app: string) => Object.keys(snapshot(app)).filter((path) => path.startsWith("db/migrate/2"));

const userPlugin = "app/authlib/user_authlib_plugin.ts";

describe("The generators of accounts", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
  });
  const runs = [
    ["fw:authlib:install"],
    ["fw:authlib:account", "user"],
    ["fw:authlib:account", "user", "--recovery-codes", "--audit_logging"],
    ["fw:authlib:account", "api_user", "--api_only", "--jwt", "--jwt_refresh"],
    ["fw:authlib:account", "Member", "--only", "--views"],
    ["fw:authlib:admin", "--roles=owner,editor"],
    ["fw:authlib:account", "everything", "--kitchen_sink"],
    ["fw:authlib:account", "holder", "--only", "--webauthn", "--recovery_codes"],
    ["fw:pkg:portal", "admin", "--auth=admin"],
  ];
  for (const run of runs) {
    it(`The dry run of "${run.join(" ")}" predicts what the run writes, and a second run changes nothing`, async () => {
      const before = snapshot(app);
      const dry = await g(app, ...run, "--dry-run");
      assert.equal(snapshot(app), before);
      await g(app, ...run);
      const after = snapshot(app);
      assert.equal(await takenBack(after, withSecretsOf(after, dry.out)), before);
      await g(app, ...run);
      assert.equal(snapshot(app), after);
    });
  }

  it("Each account type is listed once above the marker, also one whose name ends like another's", () => {
    const text = read(app, "app/authlib/authlib_app.ts");
    const listed = /defineAuthlib\(\[\n([\s\S]*?)\n {2}\/\/ fw:accounts/.exec(text)![1]!;
    assert.equal(
      listed.split("\n").map((line) => line.trim()),
      ["User", "ApiUser", "Member", "Admin", "Everything", "Holder"].map((name) => `${name}AuthlibPlugin,`),
    );
    assert.match(text, 'import UserAuthlibPlugin from "./user_authlib_plugin.ts";');
  });
  it("Passkeys become the second factor of an account type with recovery codes and without an authenticator app", () => {
    const text = read(app, "app/authlib/holder_authlib_plugin.ts");
    assert.match(text, "  recoveryCodes(),\n  webauthn({ secondFactor: true }),\n");
    assert.not.match(text, "otp");
  });
  it("Features added later are inserted in order with what they require, and the migration creates only their tables", () => {
    const text = read(app, userPlugin);
    assert.match(
      text,
      "  passwordComplexity(),\n  securityMails(),\n  otp(),\n  recoveryCodes(),\n  auditLogging(),\n]",
    );
    assert.match(text, "  passwordComplexity,\n");
    const [later] = migrations(app).filter((path) =>
      /_create_users_authlib_otp_recovery_codes_audit_logging/.test(path),
    );
    assert.equal(
      [...read(app, later!).matchAll(/createTable\("(\w+)"/g)].map(([, name]) => name),
      ["user_otp_keys", "user_recovery_codes", "user_authentication_audit_logs"],
    );
    assert.not.match(read(app, later!), 'drop.*users"');
  });
  it("Each migration of the generators of accounts has its own timestamp", () => {
    const stamps = migrations(app).map((path) => /(\d{14})_/.exec(path)![1]);
    assert.is(new Set(stamps).size, stamps.length);
  });
  it("plugins.config.ts lists jobs, mailer, passwords, authlib and jwtTokens once each after repeated runs", () => {
    const text = read(app, "plugins.config.ts");
    for (const name of ["jobs", "mailer", "passwords", "authlib", "jwtTokens"])
      assert.is(text.split(` ${name}(),`).length, 2, name);
  });
  it("An API account type gets login, logout, lockout, jwt and jwtRefresh, and apiOnly is true", () => {
    const text = read(app, "app/authlib/api_user_authlib_plugin.ts");
    assert.match(text, 'import { jwt, jwtRefresh } from "framewright/plugins/jwt";');
    assert.match(text, "[\n  login(),\n  logout(),\n  lockout(),\n  jwt(),\n  jwtRefresh(),\n]");
    assert.match(text, "static override apiOnly = true;");
  });
  it("An administrator type has roles, a login in two phases and a required second factor, and no sign-up", () => {
    const text = read(app, "app/authlib/admin_authlib_plugin.ts");
    assert.match(text, "  login({ phases: 2 }),\n");
    assert.match(text, "  otp({ required: true }),\n");
    assert.not.match(text, "createAccount");
    assert.match(read(app, "app/models/admin.ts"), 'static override enums = { role: ["owner", "editor"] };');
  });
  it("The generated policy of an account model defines no canCreate", () => {
    assert.not.match(read(app, "app/policies/user_policy.ts"), "canCreate");
  });
  it("--views copies pages and mails of the account type to app/views/authlib, and nothing of other types", () => {
    const files = Object.keys(snapshot(app)).filter((path) => path.startsWith("app/views/authlib/"));
    assert.ok(files.includes("app/views/authlib/member/login.liquid"));
    assert.ok(
      files.every((path) => /^app\/views\/authlib\/member(_mailer)?\/[^/]+\.liquid$/.test(path)),
      files.join(),
    );
  });
  it("--views copies the shared pages too, and every partial that the copied pages render", () => {
    const files = snapshot(app);
    const folder = "app/views/authlib/member/";
    for (const name of ["account", "mailed", "dead_link", "held_form", "_head", "_field", "_who", "_links"])
      assert.ok(files[`${folder}${name}.liquid`], name);
    const pages = Object.entries(files).filter(([path]) => path.startsWith(folder));
    const partials = pages.flatMap(([, text]) => [...text.matchAll(/render "([^"]+)"/g)].map(([, name]) => name!));
    assert.ok(partials.length > 5);
    const own = partials.filter((name) => !name.startsWith("framewright/")); // those of the layout are found without a copy
    for (const name of own) assert.ok(files[`${folder}${name.replace("./", "_")}.liquid`], name);
  });
  it("The resource policy of a portal with accounts declares its user with the type of the account", () => {
    const policy = read(app, "packages/admin_portal/app/policies/admin_portal/resource_policy.ts");
    assert.match(policy, 'declare readonly user: Accounts["admin"];');
  });
});

describe("The generator fw:authlib:account", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
  });

  it("A first run includes fw:authlib:install and prints what is left to do", async () => {
    const { out } = await g(app, "fw:authlib:account", "users", "--views");
    assert.match(out, "fw:authlib:install had not run yet");
    assert.match(out, "the account type is named user");
    assert.match(out, "db:migrate");
    assert.match(out, "SMTP_ADDRESS");
    assert.match(out, "fw:pkg:portal customer --auth=user");
    assert.is(migrations(app).length, 2);
  });

  it("A new feature is added to an edited list, edited files are kept, and --force overwrites edited pages", async () => {
    edit(app, userPlugin, (text) =>
      text
        .replace("  login(),", "  login({ phases: 2 }), // first the login, then the password")
        .replace("}\n\ndeclare", '\n  loginRedirect() {\n    return "/";\n  }\n}\n\ndeclare'),
    );
    edit(app, "app/authlib/authlib_plugin.ts", (text) => `${text}// mine\n`);
    appendFileSync(join(app, "app/views/authlib/user/login.liquid"), "<!-- mine -->\n");
    appendFileSync(join(app, "app/models/user.ts"), "// mine\n");
    const before = snapshot(app);
    const { out } = await g(app, "fw:authlib:account", "user", "--otp", "--views", "--force");
    assert.not.match(out, "install");
    const after = snapshot(app);
    assert.is(after["app/authlib/authlib_plugin.ts"], before["app/authlib/authlib_plugin.ts"]);
    assert.is(after["app/models/user.ts"], before["app/models/user.ts"]);
    const expected = before[userPlugin]!.replace("  securityMails(),\n", "  securityMails(),\n  otp(),\n").replace(
      "  verifyAccount,\n}",
      "  verifyAccount,\n  otp,\n}",
    );
    assert.is(after[userPlugin], expected);
    assert.not.match(after["app/views/authlib/user/login.liquid"]!, "mine"); // --force says to overwrite
  });

  it("--views keeps edited pages, partials and mails, and copies what is missing", async () => {
    const folder = "app/views/authlib/user";
    const edited = ["user/login", "user/_head", "user/account", "user_mailer/verify_account"].map(
      (name) => `app/views/authlib/${name}.liquid`,
    );
    for (const path of edited) appendFileSync(join(app, path), "<!-- mine -->\n");
    rmSync(join(app, `${folder}/_field.liquid`));
    const before = snapshot(app);
    await g(app, "fw:authlib:account", "user", "--email_auth", "--views");
    const after = snapshot(app);
    for (const path of edited) assert.is(after[path], before[path], path);
    for (const name of ["_field", "email_auth", "email_auth_request"])
      assert.ok(after[`${folder}/${name}.liquid`], name);
  });

  it("--views copies only mails for an existing account type without pages", async () => {
    await g(app, "fw:authlib:account", "sensor", "--api_only", "--jwt");
    await g(app, "fw:authlib:account", "sensor", "--views");
    const files = Object.keys(snapshot(app)).filter((path) => path.startsWith("app/views/authlib/sensor"));
    assert.equal(files, [
      "app/views/authlib/sensor_mailer/unlock_account.liquid",
      "app/views/authlib/sensor_mailer/unlock_account_text.liquid",
    ]);
  });

  it("A features list that can't be found is not edited: the missing entries are printed and their tables migrated", async () => {
    edit(app, userPlugin, (text) =>
      text
        .replace(/features\(AuthlibPlugin, \[([\s\S]*?)\]\)/, "features(AuthlibPlugin, list)")
        .replace("/** How", "const list = [login(), otp()] as const;\n\n/** How"),
    );
    const before = read(app, userPlugin);
    const { out } = await g(app, "fw:authlib:account", "user", "--otp", "--webauthn");
    assert.match(out, /has no list of features .*: webauthn\(\)/);
    assert.is(read(app, userPlugin), before);
    assert.ok(migrations(app).some((path) => path.endsWith("_create_users_authlib_webauthn.ts")));
  });

  it("--model adds accounts to the existing model and table of a package without changing the model", async () => {
    await g(app, "fw:pkg:package", "crm");
    await g(app, "fw:res:scaffold", "Crm::Person", "name", "--dest=crm");
    const model = read(app, "packages/crm/app/models/crm/person.ts");
    await g(app, "fw:authlib:account", "contact", "--model=Crm::Person");
    assert.is(read(app, "packages/crm/app/models/crm/person.ts"), model);
    const text = read(app, "app/authlib/contact_authlib_plugin.ts");
    assert.match(text, 'import type Person from "#packages/crm/app/models/crm/person.ts";');
    assert.match(text, 'static override model = "Crm::Person";');
    assert.match(text, "    contact: Person;\n");
    const [migration] = migrations(app).filter((path) => path.endsWith("_create_contacts_authlib.ts"));
    assert.match(read(app, migration!), 'addColumns("crm_people"');
    assert.match(read(app, migration!), 't.belongsTo("account", { table: "crm_people"');
    assert.not.match(read(app, migration!), 'dropTable("crm_people")');
    const before = snapshot(app);
    await g(app, "fw:authlib:account", "contact");
    assert.equal(snapshot(app), before);
  });

  for (const [words, wanted] of [
    [["user", "--opt"], 'Did you mean "--otp"?'],
    [["user", "--verify_acount"], 'Did you mean "--verify-account"?'],
    [["robot", "--api_only"], '"--api_only" needs "--jwt"'],
    [["robot", "--api_only", "--jwt", "--remember"], "--api_only and --remember exclude each other"],
    [["robot", "--kitchen_sink", "--api_only", "--jwt"], "--api_only and --kitchen_sink exclude each other"],
    [["robot", "--only", "--defaults"], "--only and --defaults exclude each other"],
    [["../x"], "../x"],
    [["Crm::Person"], "Crm::Person"],
    [["a".repeat(31)], "at most 30"],
    [["robot", "--model=Crm::Persn"], 'Did you mean "Crm::Person"?'],
    [[], "<name>"],
  ] as const) {
    it(`"fw:authlib:account ${words.join(" ")}" exits 2, prints ${wanted} and writes nothing`, async () => {
      const before = snapshot(app);
      const { code, err } = await runFw(app, "g", "fw:authlib:account", ...words);
      assert.is(code, 2, err);
      assert.match(err, wanted);
      assert.equal(snapshot(app), before);
    });
  }
  for (const [roles, wanted] of [
    ["", "--roles"],
    ["Super Admin", '"Super Admin" can\'t name a role'],
    ["a,b,a", "different names"],
    ["a,,b", "can't name a role"],
  ] as const) {
    it(`"fw:authlib:admin --roles=${roles}" exits 2 and writes nothing`, async () => {
      const before = snapshot(app);
      const { code, err } = await runFw(app, "g", "fw:authlib:admin", `--roles=${roles}`);
      assert.is(code, 2, err);
      assert.match(err, wanted);
      assert.equal(snapshot(app), before);
    });
  }

  it("A list of plugins that can't be found exits 1 with the lines to add, and nothing is written", async () => {
    const other = await newApp();
    edit(other, "plugins.config.ts", (text) =>
      text.replace("definePlugins([", "mine([").replace("{ definePlugins }", "{ definePlugins as mine }"),
    );
    const before = snapshot(other);
    const { code, err } = await runFw(other, "g", "fw:authlib:account", "user");
    assert.is(code, 1);
    assert.match(err, 'import { authlib } from "framewright/plugins/authlib";');
    assert.match(err, "jobs(), mailer(), passwords(), authlib(),");
    assert.equal(snapshot(other), before);
  });
});

/** What is left when the diff of a dry run is taken back from what the real run wrote. */
/** Secrets are made anew by each run: the diff of a dry run gets those that were written. */
function withSecretsOf(after: Record<string, string>, diff: string): string {
  const files = diff.split(/^(?=--- )/m);
  return files
    .map((part) => {
      const path = /^\+\+\+ (?:b\/)?(\S+)/m.exec(part)?.[1] ?? "";
      return part.replace(/^\+(\w+=)[0-9a-f]{64}$/gm, (line, name: string) => {
        const written = new RegExp(`^${name}.*$`, "m").exec(after[path] ?? "")?.[0];
        return written === undefined ? line : `+${written}`;
      });
    })
    .join("");
}

async function takenBack(after: Record<string, string>, diff: string): Promise<Record<string, string>> {
  const copy = temporaryFolder();
  for (const [path, text] of Object.entries(after)) {
    mkdirSync(join(copy, path, ".."), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  const names = new Map(Object.keys(after).map((path) => [path.replace(/\d{14}_/, ""), path]));
  const stamped = diff.replaceAll(
    /db\/migrate\/\d{14}_(\w+\.ts)/g,
    (whole, name: string) => names.get(`db/migrate/${name}`) ?? whole,
  );
  if (stamped !== "") {
    writeFileSync(join(copy, "dry.patch"), stamped);
    const { code, err } = await runCommand("git", ["apply", "-R", "dry.patch"], copy);
    assert.is(code, 0, err);
    rmSync(join(copy, "dry.patch"));
  }
  return snapshot(copy);
}
