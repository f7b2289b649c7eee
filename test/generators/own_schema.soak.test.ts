import { postgresStatement } from "../support/databases.ts";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { failuresOf, walk } from "./pull_walk.ts";
import { connectAll, pullApp } from "./pulled_app.ts";
import { postgresSchema, runPostgres } from "./pulled_postgres.ts";
import { fwOk } from "./support.ts";

const tables = `
create extension citext;
create table offices (id serial primary key, name text not null);
create table people (id serial primary key, name citext not null, office_id integer references offices);
insert into offices (name) values ('Rome');
insert into people (name, office_id) values ('Ada', 1);
`;

const skip = await reasonToSkip("postgres");

describe("An application with a schema of its own, beside the one that was there", (it) => {
  it.unless(skip, "Nothing is added to the one that was there, which is served", async () => {
    const server = process.env.FW_TEST_POSTGRES_URL!;
    const name = `fw_back_${process.pid}`;
    const administrator = new URL(`/${name}`, server).href;
    await postgresStatement(server, `create role ${name} login`);
    await postgresStatement(server, `create database ${name}`);
    try {
      await runPostgres(administrator, tables);
      await runPostgres(
        administrator,
        `create schema back authorization ${name};
         alter role ${name} set search_path = back, public;
         grant all on all tables in schema public to ${name};
         grant all on all sequences in schema public to ${name};`,
      );
      const schema = await postgresSchema(administrator);
      const url = Object.assign(new URL(administrator), { username: name, password: "" }).href;
      const app = await pullApp(url, { database: "postgres" });
      const { out } = await fwOk(app.root, "g", "fw:db:pull", "--schema=public");
      const constants = /fw:res:conn (.*) --dest=PORTAL/.exec(out)![1]!.split(" ");
      assert.equal(constants, ["Office", "Person"]);
      await connectAll({ ...app, constants });
      await fwOk(app.root, "doctor");
      assert.equal(failuresOf(await walk(app.root, url)), []);
      assert.equal(await postgresSchema(administrator), schema);
    } finally {
      await postgresStatement(server, `drop database if exists ${name} with (force)`);
      await postgresStatement(server, `drop role ${name}`);
    }
  });
});
