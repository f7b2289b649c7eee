// `npm run docs`: the documents as a site, in .site/dist; `npm run docs -- --dev` serves them while they are written.
// The site's packages are installed in .site/, so that nobody who works on the framework needs them.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const site = join(here, "../../.site");
const lock = (folder) => {
  const path = join(folder, "package-lock.json");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};
const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: site, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

const isInstalled = lock(site) === lock(here) && existsSync(join(site, "node_modules"));
mkdirSync(site, { recursive: true });
for (const name of ["package.json", "package-lock.json", ".vitepress"])
  cpSync(join(here, name), join(site, name), { recursive: true });
if (!isInstalled) run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
if (process.argv.includes("--dev")) run("npx", "vitepress", "dev", "--host", "127.0.0.1");
else run("npx", "vitepress", "build");
