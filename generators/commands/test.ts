import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { applicationRoot } from "../support/load_app.ts";
import { fwCommand, packageDirectory } from "../support/package.ts";
import type { CommandContext } from "./command.ts";

/**
 * Migrates the test database, then runs each test file in its own process. A process ends with its tests: one that fails
 * before it closes its application would wait for it forever.
 */
export default function test({ args }: CommandContext): void {
  const root = applicationRoot();
  const env = { ...process.env, NODE_ENV: "test" };
  const migrated = spawnSync(process.execPath, [fwCommand, "db:migrate"], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (migrated.status !== 0) {
    process.exitCode = 1;
    return;
  }
  const files = testsBelow(root, "test").filter(
    (file) => args.length === 0 || args.some((part) => file.includes(part)),
  );
  if (files.length === 0) {
    console.log("no tests");
    return;
  }
  const register = pathToFileURL(join(packageDirectory, "generators", "bin", "register.js")).href;
  const run = spawnSync(
    process.execPath,
    ["--no-warnings", "--import", register, "--test", "--test-concurrency=1", "--test-force-exit", ...files],
    { cwd: root, env, stdio: "inherit" },
  );
  process.exitCode = run.status ?? 1;
}

function testsBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? testsBelow(root, path) : entry.name.endsWith(".test.ts") ? [path] : [];
  });
}
