import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ShardCounter, type StatementReach } from "../../../plugins/scoping/shards/shard_report.ts";
import { statementsOf } from "../../../plugins/scoping/shards/statement_log.ts";
import { shapeOf } from "../../../plugins/scoping/shards/statement_shape.ts";
import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { tenantFiles } from "./tenants.ts";

// Which statements would need several shards, if the rows of each tenant were on one.

const tables = new Map([
  ["organizations", { kind: "key", column: "id" }],
  ["posts", { kind: "key", column: "organization_id" }],
  ["authors", { kind: "key", column: "organization_id" }],
  ["comments", { kind: "indirect", over: ["posts"] }],
] as const);
const reachOf = (sql: string): StatementReach | undefined => {
  const counter = new ShardCounter(tables);
  counter.add("1", sql);
  const { statements } = counter.report();
  return (Object.keys(statements) as StatementReach[]).find((reach) => statements[reach] > 0);
};
async function* lines(text: string) {
  yield* text.split("\n");
}

/** As MariaDB 10.11 writes it; a prepared statement is logged when it is prepared, and at each run. */
const log = `mariadbd, Version: 10.11.19-MariaDB started with:
Tcp port: 3306  Unix socket: /run/mysqld.sock
Time\t\t    Id Command\tArgument
261124 14:01:27\t     7 Connect\tshop@localhost on shop using TCP/IP
\t\t     7 Prepare\tselect * from \`posts\` where \`organization_id\` = ? and \`id\` = ?
\t\t     7 Execute\tselect * from \`posts\` where \`organization_id\` = 1 and \`id\` = 5
261124 14:01:28\t     7 Query\tBEGIN
\t\t     8 Query\tselect count(*)
  from \`posts\`
\t\t     7 Query\tinsert into \`posts\` (\`organization_id\`, \`title\`) values (1, 'it''s (or) not; from \`users\`')
\t\t     7 Query\tinsert into \`framewright_jobs\` (\`kind\`, \`payload\`) values ('mail', 'x')
\t\t     7 Query\tCOMMIT
261124 14:01:29\t     7 Quit\t
`;

describe("Statements and shards", (it) => {
  it("A general log is read entry by entry: what was run, not what was prepared, with all its lines", async () => {
    const found = [];
    for await (const { connection, sql } of statementsOf(lines(log))) found.push(`${connection} ${sql.slice(0, 40)}`);
    assert.equal(found, [
      "7 select * from `posts` where `organizatio",
      "7 BEGIN",
      "8 select count(*)\n  from `posts`",
      "7 insert into `posts` (`organization_id`, ",
      "7 insert into `framewright_jobs` (`kind`, ",
      "7 COMMIT",
    ]);
  });

  it("Each statement is counted by the shards that it needs", () => {
    const expected: [StatementReach, string][] = [
      ["shard", "select * from `posts` where `posts`.`organization_id` = 1 order by `id` limit 20"],
      ["shard", "select * from `posts` where (`title` like '%a%' or `title` = 'b') and (`organization_id` = ?)"],
      ["shard", "select * from `posts` where `organization_id` in (3)"],
      ["shard", "update `posts` set `title` = 'x or y' where `id` = 4 and `organization_id` = 2"],
      ["shard", "insert into `posts` (`title`, `organization_id`) values ('a', 2)"],
      [
        "shard",
        "select * from `posts` inner join `authors` as `a` on `a`.`organization_id` = `posts`.`organization_id` and `a`.`id` = `posts`.`author_id` where `posts`.`organization_id` = 2",
      ],
      [
        "shard",
        "select * from `posts` where `organization_id` = 1 and exists (select 1 from `authors` where `authors`.`organization_id` = `posts`.`organization_id`)",
      ],
      ["shard", "delete from `organizations` where `id` = 4"],
      ["none", "select * from `users` where `id` = 1"],
      ["id", "select * from `posts` where `id` = 4"],
      ["every", "select count(*) from `posts`"],
      ["every", "select * from `posts` where `organization_id` = 1 or `shared` = 1"],
      ["every", "select * from `posts` where (`organization_id` = 1 or `shared` = 1) and `id` > 3"],
      ["every", "select * from `posts` where `organization_id` in (1, 2)"],
      ["every", "select * from `posts` where not (`organization_id` = 1)"],
      ["every", "update `posts` set `organization_id` = 1 where `title` = 'a'"],
      ["every", "select * from `comments` where `post_id` = 1"],
      [
        "every",
        "select * from `posts` inner join `authors` on `authors`.`id` = `posts`.`author_id` where `posts`.`organization_id` = 2",
      ],
      [
        "join",
        "select * from `posts` left join `users` on `users`.`id` = `posts`.`user_id` where `posts`.`organization_id` = 2",
      ],
    ];
    for (const [reach, sql] of expected) assert.is(reachOf(sql), reach, sql);
  });

  it("Values are in no text of the report", () => {
    const { text } = shapeOf("select * from `posts` where `title` = 'it''s \\'secret' and `id` = 12.5");
    assert.is(text, "select * from `posts` where `title` = ? and `id` = ?");
  });

  it("A transaction that writes rows of two tenants, or of a tenant and of a shared table, is counted", () => {
    const counter = new ShardCounter(tables);
    const run = (connection: string, ...statements: string[]) => {
      for (const sql of ["BEGIN", ...statements, "COMMIT"]) counter.add(connection, sql);
    };
    const post = (tenant: number) => `insert into \`posts\` (\`organization_id\`, \`title\`) values (${tenant}, 'a')`;
    run("1", post(1), post(1), "select * from `users`");
    run("2", post(1), post(2));
    run("3", post(1), "insert into `framewright_jobs` (`kind`) values ('mail')");
    assert.equal(counter.report().transactions, {
      count: 3,
      crossing: 2,
      written: [
        { tables: "posts", count: 1 },
        { tables: "framewright_jobs, posts", count: 1 },
      ],
    });
  });

  it("fw db:shards reports a log, finds the tenants' model by itself, and names what can't be read", async () => {
    const root = writeApp({ ...tenantFiles });
    const fw = (...words: string[]) =>
      promisify(execFile)(process.execPath, [join(import.meta.dirname, "../../../generators/bin/fw.js"), ...words], {
        cwd: root,
        env: {
          ...process.env,
          NODE_ENV: "test",
          SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
        },
      }).then(
        ({ stdout }) => ({ code: 0, output: stdout }),
        (error: { code: number; stdout: string; stderr: string }) => ({
          code: error.code,
          output: error.stdout + error.stderr,
        }),
      );
    writeFileSync(join(root, "general.log"), log);
    const { code, output } = await fw("db:shards", "general.log");
    assert.is(code, 0, output);
    assert.match(output, /2 +need the shard of one Organization/);
    assert.match(output, /1 +every +select count\(\*\) from `posts`/);
    assert.match(output, "1 of 1 transactions write in several places");
    const json = JSON.parse((await fw("db:shards", "general.log", "--tenant=Organization", "--json")).output) as {
      statements: object;
    };
    assert.equal(json.statements, { shard: 2, none: 1, id: 0, join: 0, every: 1 });
    writeFileSync(join(root, "empty.log"), "nothing\n");
    for (const [words, message] of [
      [["empty.log"], /FW_SHARDS_EMPTY: empty.log has no statement/],
      [["general.log", "--tenant=Organisation"], /FW_SHARDS_TENANT.*Did you mean "Organization"/],
    ] as const) {
      const failed = await fw("db:shards", ...words);
      assert.is(failed.code, 1);
      assert.match(failed.output, message);
    }
  });
});
