import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnv, runIn } from "../generators/production.ts";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { installLighthouse, type Scores } from "./lighthouse.ts";
import { startDemo } from "./world.ts";

// What Lighthouse says of a phone's first visit: of the demo, built and started in production.

const reason = (await reasonToSkip("browser")) ?? (await reasonToSkip("registry"));
/** Pages, and whether somebody is signed in. */
const pages: Record<string, [path: string, isSigned: boolean]> = {
  "The first page": ["/", false],
  "The sign-in": ["/admins/login", false],
  "A list that guests read": ["/public/blogging/posts", false],
  "A list": ["/admin/blogging/posts", true],
  "A record": ["/admin/blogging/posts/1", true],
  "A form": ["/admin/blogging/posts/new", true],
  "A dashboard": ["/admin", true],
};
/** The goal is 95; a busy machine costs some. */
const LEAST = 92;
const MAKES_WITHIN = 300_000;

describe("The first visit by a phone, as Lighthouse sees it", (it, { after }) => {
  const folder = mkdtempSync(join(tmpdir(), "fw-first-visit-"));
  const root = join(folder, "demo");
  let served: ChildProcess | undefined;
  let url = "";
  let cookie = "";
  let lighthouse: Awaited<ReturnType<typeof installLighthouse>>;
  after(async () => {
    served?.kill("SIGTERM");
    if (served) await exitOf(served);
    lighthouse?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.unless(
    reason,
    "The demo is made, built and started in production",
    async () => {
      await (await startDemo(root)).stop();
      const production = { NODE_ENV: "production", PARTNER_API_KEY: "demo-partner-key" };
      await runIn(root, cleanEnv(production), ["build"]);
      const database = { DATABASE_URL: "sqlite:storage/development.sqlite3", ALLOWED_HOSTS: "127.0.0.1" };
      ({ child: served, url } = await serveApp(root, { ...production, ...database, LOG_LEVEL: "error" }, "start"));
      const client = new Client(url);
      await client.submit("/admins/login", { login: "admin@demo.test", password: "demo-password-2026" });
      cookie = `fw_session=${client.cookie("fw_session")}`;
      lighthouse = await installLighthouse();
    },
    MAKES_WITHIN,
  );

  /** The visit in the middle of three by its performance; the third is left out where it can't change whether that is enough. */
  async function median(path: string, isSigned: boolean): Promise<Scores> {
    const visits: Scores[] = [];
    while (visits.length < 3 && visits.filter(({ performance }) => performance >= LEAST).length < 2)
      visits.push(await lighthouse.visit(url + path, isSigned ? cookie : undefined));
    visits.sort((one, other) => one.performance - other.performance);
    return visits[Math.floor((visits.length - 1) / 2)]!;
  }
  for (const [name, [path, isSigned]] of Object.entries(pages))
    it.unless(
      reason,
      `${name} has at least ${LEAST} of 100 for performance, and all for accessibility and best practices`,
      async () => {
        const { performance, accessibility, bestPractices, lost } = await median(path, isSigned);
        console.log(`     ${path}: ${performance}, ${accessibility}, ${bestPractices}; ${lost}`);
        assert.ok(performance >= LEAST, `${path} has ${performance}: ${lost}`);
        assert.equal([accessibility, bestPractices], [100, 100], `${path}: ${lost}`);
      },
      MAKES_WITHIN,
    );
});
