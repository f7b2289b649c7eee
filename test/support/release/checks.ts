import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CREATE, manifestOf, outputOf, type Release } from "./release.ts";

/** What holds before anything is built, by name: each returns its problems, a sentence each that ends in the fix. */
export const checks: Readonly<Record<string, (release: Release) => string[]>> = {
  tree,
  branch,
  tag,
  manifests,
  changelog,
};

const MAIN = "main";
const MAX_NAMED = 5;

function tree(release: Release): string[] {
  const changed = outputOf(release, "git", "status", "--porcelain").split("\n").filter(Boolean);
  const named = changed.slice(0, MAX_NAMED).map((line) => line.trim().replace(/^\S+ +/, ""));
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : "";
  return changed.length === 0
    ? []
    : [`The tree has changes that are in no commit: ${named.join(", ")}${more}. Commit or discard them.`];
}

function branch(release: Release): string[] {
  const name = outputOf(release, "git", "branch", "--show-current") || "none";
  return name === MAIN ? [] : [`A release is of the branch ${MAIN}, and this one is ${name}. Run: git switch ${MAIN}`];
}

/** The tag of this version may be there after a release that stopped half-way. */
function tag(release: Release): string[] {
  const [name, head] = [`v${release.version}`, outputOf(release, "git", "rev-parse", "HEAD")];
  const tagged = outputOf(release, "git", "tag", "--list", name, "--format=%(*objectname)%(objectname)").slice(0, 40);
  return tagged === "" || tagged === head
    ? []
    : [`${name} is the tag of another commit. Give package.json and ${CREATE}/package.json the next version.`];
}

function manifests({ root, version }: Release): string[] {
  const [framework, create] = [manifestOf(root), manifestOf(join(root, CREATE))];
  const problems: string[] = [];
  if (create.version !== version || create.dependencies?.framewright !== version)
    problems.push(
      `${CREATE}/package.json is of version ${create.version} and depends on framewright ${create.dependencies?.framewright}. Write ${version} at both places.`,
    );
  for (const [path, { repository }] of [
    ["package.json", framework],
    [`${CREATE}/package.json`, create],
  ] as const)
    if (!repository?.url)
      problems.push(
        `${path} has no "repository", which npm compares with where the package was built. Add: "repository": { "type": "git", "url": "git+https://<host>/<owner>/<name>.git" }`,
      );
  return problems;
}

/** The sections of the changelog are headed "## 0.1.0, 2026-12-01", or "## Unreleased". */
function changelog({ root, version }: Release): string[] {
  const sections = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m).slice(1);
  const find = (name: string) => sections.find((section) => section.split(/[,\n]/, 1)[0]!.trim() === name);
  const hasEntries = (section: string) => /^- /m.test(section);
  const heading = `## ${version}, ${new Date().toISOString().slice(0, 10)}`;
  const [released, unreleased] = [find(version), find("Unreleased")];
  if (released === undefined) return [`CHANGELOG.md has no section of ${version}. Write: ${heading}`];
  const date = /^[^\n]*?, *([^\n]*)/.exec(released)?.[1] ?? "";
  const problems: string[] = [];
  if (!/^\d{4}-\d\d-\d\d$/.test(date))
    problems.push(`CHANGELOG.md gives ${version} ${date ? `"${date}"` : "nothing"} for a date. Write: ${heading}`);
  if (!hasEntries(released)) problems.push(`CHANGELOG.md has no entry below ${version}. Write what changed.`);
  if (unreleased !== undefined && hasEntries(unreleased))
    problems.push(`CHANGELOG.md has entries below "Unreleased". Move them below: ${heading}`);
  return problems;
}
