import { readFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { serveAll } from "./db_pull_published.ts";
import { harbour } from "./pull_harbour.ts";
import { pullApp } from "./pulled_app.ts";
import { postgresSchema, runPostgres } from "./pulled_postgres.ts";
import { fwOk } from "./support.ts";

/** What is refused because the walk's values are none of the type or pattern, or nothing of a record can be changed. */
const refused = [
  "Inspection create: 422",
  "Invoice create: 422",
  "Terminal create: 422",
  "User create: 422",
  "Vessel create: 422",
  "VesselPilot edit: refused",
];

for (const database of (await databases({ withPostgres: true, byCommands: true })).filter(({ name }) =>
  /^p/.test(name),
))
  describe(`A harbour and its customs in two schemas, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());

    it.unless(
      database.skip,
      "It is served as it was pulled, with names in its lists and fields of one line, and its schema stays as it is",
      async () => {
        const { DATABASE_URL: url = "" } = await database.values();
        await runPostgres(url, harbour);
        const schema = await postgresSchema(url);
        const app = await pullApp(url, { database: "postgres" });
        const { out } = await fwOk(app.root, "g", "fw:db:pull", "--schema=public,Zoll");
        for (const line of [
          "The model of Zoll.user is called ZollUser: another class is called User.",
          "Zoll.held is listed only: it is a view, so that nothing identifies a record.",
        ])
          assert.ok(out.includes(line), `${line}\n${out}`);
        const model = (name: string) => readFileSync(join(app.root, "app/models", `${name}.ts`), "utf8");
        assert.match(model("port_call"), 'berth: belongsTo({ foreignKey: ["terminal_code", "berth_no"] })');
        assert.match(model("berth"), 'port_calls: hasMany({ foreignKey: ["terminal_code", "berth_no"] })');
        assert.match(model("invoice"), 'tariff: belongsTo({ foreignKey: ["tariff_code", "tariff_from"] })');
        const policy = readFileSync(join(app.root, "app/policies/port_call_policy.ts"), "utf8");
        assert.match(policy, '"berth"');
        assert.not.match(policy, "berth_no");
        const definition = (name: string) =>
          readFileSync(join(app.root, "app/definitions", `${name}_definition.ts`), "utf8");
        assert.match(definition("vessel"), 'this.field("name", { as: "string" });');
        assert.match(definition("order"), 'this.field("user_user", { label: "User" });');
        assert.not.match(definition("order"), '"desc"');
        assert.not.match(definition("user"), "password_hash");
        const constants = /fw:res:conn (.*) --dest=PORTAL/.exec(out)![1]!.split(" ");
        const walked = await serveAll({ ...app, constants }, url, refused, "back_user");
        const { Vessel, User, Table, ZollUser } = walked.labels;
        assert.equal(
          { Vessel, User, Table, ZollUser },
          { Vessel: "Adler", User: "Ines", Table: "かもめ", ZollUser: "Chief" },
        );
        const now = await postgresSchema(url);
        assert.equal(Object.fromEntries(Object.keys(schema).map((name) => [name, now[name]])), schema);
        assert.not.match((await fwOk(app.root, "g", "fw:db:pull")).out, /^ *(create|edit|overwrite) /m);
      },
      240_000,
    );
  });
