// Installs the newest versions of the packages that package.json pins exactly, so that .ci/run tries them: their private
// APIs are used. A pin of a prerelease may lead to a newer one. `--print` only lists them. Needs npm's registry.
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import semver from "semver";

const npm = (...args) => execFileSync("npm", args, { encoding: "utf8" });
const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const pins = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).filter(([, range]) =>
  semver.valid(range),
);

/** The newest version that the registry offers by its tags `latest` and, for a prerelease, `next`. */
function newest(name, current) {
  const { latest, next = latest } = JSON.parse(npm("view", name, "dist-tags", "--json"));
  const offered = semver.prerelease(current) ? [latest, next] : [latest];
  return semver.rsort([current, ...offered])[0];
}

const updates = pins.map(([name, current]) => ({ name, current, version: newest(name, current) }));
const newer = updates.filter(({ current, version }) => version !== current);
for (const { name, current, version } of newer) console.log(`${name} ${current} -> ${version}`);
if (newer.length === 0) console.log(`the ${pins.length} packages that are pinned exactly are the newest`);
if (newer.length > 0 && !process.argv.includes("--print"))
  npm("install", "--save-exact", "--ignore-scripts", ...newer.map(({ name, version }) => `${name}@${version}`));
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `changed=${newer.length > 0}\n`);
