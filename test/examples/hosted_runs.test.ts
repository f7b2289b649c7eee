import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { assert, describe } from "../support/index.ts";

// What hosting runs by itself: that it can be read, and that what it names is there.

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { scripts, engines } = JSON.parse(read("package.json"));

interface Job {
  strategy?: { matrix: { node: number[] } };
  steps: { uses?: string; run?: string }[];
}
const workflows = readdirSync(join(root, ".github/workflows")).map((name) => {
  const { jobs, permissions } = parse(read(`.github/workflows/${name}`)) as {
    jobs: Record<string, Job>;
    permissions: object;
  };
  return { name, jobs: Object.values(jobs), permissions };
});
const linesOf = (jobs: readonly Job[]) => jobs.flatMap(({ steps }) => steps.flatMap(({ run = "" }) => run.split("\n")));

describe("Hosted runs", (it) => {
  it("Every script that a workflow runs exists and can be run, and each workflow limits its permissions", () => {
    for (const { name, jobs, permissions } of workflows) {
      assert.ok(permissions, name);
      for (const line of linesOf(jobs)) {
        for (const [path] of line.matchAll(/\.ci\/[\w.]+/g))
          assert.ok(existsSync(join(root, path)), `${name}: ${path}`);
        for (const [, script] of line.matchAll(/npm run (\w+)/g)) assert.ok(scripts[script!], `${name}: ${script}`);
      }
    }
    assert.ok(statSync(join(root, ".ci/run")).mode & 0o111, ".ci/run is executable");
  });
  it("Changes run .ci/run on every version of Node that docs/versions.md supports, from the oldest of package.json on", () => {
    const { jobs } = workflows.find(({ name }) => name === "ci.yml")!;
    assert.ok(linesOf(jobs).includes(".ci/run"));
    const rows = [...read("docs/versions.md").matchAll(/^\| (\d+)(?:\.\d+ and later)? \| \d{4}-/gm)].map(([, major]) =>
      Number(major),
    );
    assert.equal(jobs[0]!.strategy!.matrix.node, rows);
    assert.is(engines.node, `>=${/^\| (20[.\d]*) and later/m.exec(read("docs/versions.md"))![1]}`);
  });
  it("Forms of issues have a name, and fields with labels of their own", () => {
    for (const name of readdirSync(join(root, ".github/ISSUE_TEMPLATE")).filter((one) => one !== "config.yml")) {
      const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as {
        name: string;
        body: { type: string; id?: string; attributes: { label?: string } }[];
      };
      assert.ok(form.name, name);
      const fields = form.body.filter(({ type }) => type !== "markdown");
      assert.ok(
        fields.every(({ id, attributes }) => id && attributes.label),
        name,
      );
      assert.is(new Set(fields.map(({ id }) => id)).size, fields.length, name);
    }
  });
});
