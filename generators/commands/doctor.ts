import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Application, Finding, RouteInfo } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { chooseEnvironment } from "../support/environment.ts";
import { applicationRoot, withApp } from "../support/load_app.ts";
import { green, red } from "../support/terminal.ts";
import { planUpgrade } from "../upgrade/index.ts";
import type { CommandContext } from "./command.ts";
import { pageWeight } from "./page_weight.ts";

type Check = (root: string, options: CommandContext["options"]) => Finding | Finding[] | Promise<Finding | Finding[]>;

const checks: readonly Check[] = [nodeVersion, packages, settings, earlierRelease, application];

/** Runs all checks, so that one run shows everything. Exits 1 when something has to be fixed. */
export default async function doctor({ options }: CommandContext): Promise<void> {
  const root = applicationRoot();
  chooseEnvironment(options.env);
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...[await check(root, options)].flat());
  if (options.json) console.log(JSON.stringify(findings, null, 2));
  else
    for (const { what, ok, detail } of findings) console.log(`${ok ? green("ok  ") : red("FIX ")} ${what}: ${detail}`);
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return {
    what: "Node",
    ok,
    detail: ok ? process.versions.node : `${process.versions.node} is too old; install 20.19 or later`,
  };
}

function packages(root: string): Finding {
  const require = createRequire(join(root, "package.json"));
  const missing = ["framewright/package.json", "typescript/package.json"].filter((name) => !resolves(require, name));
  const names = missing.map((name) => name.split("/")[0]).join(", ");
  return {
    what: "packages",
    ok: missing.length === 0,
    detail: missing.length === 0 ? "installed" : `${names} missing; run npm install`,
  };
}

function resolves(require: NodeJS.Require, name: string): boolean {
  try {
    return existsSync(require.resolve(name));
  } catch {
    return false;
  }
}

async function settings(root: string): Promise<Finding> {
  const { readSettings } = await import("framewright/host");
  try {
    const { env, databaseUrl } = readSettings({ root });
    return { what: "settings", ok: true, detail: `${env}, ${databaseUrl?.split(":")[0] ?? "sqlite"}` };
  } catch (error) {
    return { what: "settings", ok: false, detail: messageOf(error) };
  }
}

/** What is of an earlier release in the application's files: a sentence for each capability. */
function earlierRelease(root: string): Finding[] {
  try {
    const notes = planUpgrade(root).notes.filter(({ command }) => command === undefined); // plugins name their tables
    const capabilities = [...new Set(notes.map(({ capability }) => capability))];
    return capabilities.map((capability) => {
      const own = notes.filter((note) => note.capability === capability);
      const { file, line, text, isLeft } = own.find((note) => note.isLeft) ?? own[0]!;
      return {
        what: `upgrade of ${capability}`,
        ok: false,
        detail: `${file}:${line}: ${text}${isLeft ? "" : "; run fw upgrade"}`,
      };
    });
  } catch (error) {
    return [{ what: "upgrade", ok: false, detail: messageOf(error) }];
  }
}

/** The variables that plugins read, by name; that they are valid is checked at boot. */
const variables = (app: Application): Finding[] =>
  app.kernel
    .pluginInfo()
    .filter(({ env }) => env.length > 0)
    .map(({ name, env }) => ({ what: `variables of ${name}`, ok: true, detail: env.join(", ") }));

/** Engines that admit guests, routes that guests can write through, and controllers without authentication. */
function guests(routes: readonly RouteInfo[]): Finding[] {
  const admitting = routes.filter((route) => route.guests !== "refuse");
  const owners = new Set(admitting.map(({ engine }) => engine ?? "the main application"));
  const written = admitting.filter((route) => route.guests === "write").map(({ verb, path }) => `${verb} ${path}`);
  const closed = new Set(routes.filter(({ account }) => account === "nobody").map(({ to }) => to.split("#")[0]));
  const admitted = `${[...owners].join(", ") || "nothing"} admits them; they can write through ${written.join(", ") || "nothing"}`;
  const findings = [{ what: "guests", ok: true, detail: admitted }];
  if (closed.size > 0)
    findings.push({
      what: "controllers without authentication",
      ok: false,
      detail: `nobody can reach ${[...closed].join(", ")}: extend each through PublicAccess, CurrentUser or Authlib`,
    });
  return findings;
}

/** Whether the application boots and its database is migrated, with the findings of its plugins. */
async function application(_root: string, { explain, all }: CommandContext["options"]): Promise<Finding | Finding[]> {
  const what = "application and database";
  try {
    return await withApp({}, async (app) => {
      const database = app.kernel.service("database", "fw doctor");
      await database.ping();
      const pending = await database.migrations.pending();
      const isMigrated = pending.length === 0;
      const detail = isMigrated ? "boots, answers, migrated" : `not migrated: ${pending.join(", ")}; run fw db:migrate`;
      const findings: Finding[] = [{ what, ok: isMigrated, detail }, ...variables(app), ...guests(app.routes())];
      await app.hooks.examine.promise(findings);
      if (explain) await app.hooks.explain.promise(findings, all === true);
      return [...findings, ...(await pageWeight(app))];
    });
  } catch (error) {
    return { what, ok: false, detail: messageOf(error) };
  }
}
