import { withoutText } from "../../support/list_literal.ts";
import type { Upgrade, UpgradeStep } from "../upgrade.ts";

interface Moved {
  capability: string;
  slot: string;
}
/** Members of the service "resources" that are the services of slots by now. */
const moved: Readonly<Record<string, Moved>> = {
  background: { capability: "backgroundRuns", slot: "background_runs" },
  imports: { capability: "imports", slot: "imports" },
  savedViews: { capability: "savedViews", slot: "saved_views" },
  deletions: { capability: "undo", slot: "undo" },
};
const members = Object.keys(moved).join("|");
const SERVICE = `\\bservice(?:<[^>]*>)?\\(\\s*["']resources["']`;

/** Rewrites `kernel.service("resources").background` and the like. */
export const moveServices: UpgradeStep = (upgrade) => {
  for (const file of upgrade.sources()) {
    const text = upgrade.changes.read(file) ?? "";
    if (!/\bresources\b/.test(text) || !new RegExp(`\\b(?:${members})\\b`).test(text)) continue;
    rewriteChains(upgrade, file);
    rewriteDestructured(upgrade, file);
    leaveOthers(upgrade, file);
  }
};

const text = (member: string): string =>
  `the member ${member} of the service "resources" is the service "${moved[member]!.slot}"`;

/** `service("resources", "who asks").background`, also over several lines. */
function rewriteChains(upgrade: Upgrade, file: string): void {
  const chain = new RegExp(
    `(${SERVICE})([^()]*\\))(!?\\s*\\.\\s*)(${members})\\b(!?)(?:\\s*\\.\\s*store\\b(?=\\s*\\.\\s*sweep\\b))?(?!\\s*\\?\\.)`,
    "g",
  ); // undo has no store of its own by now
  replace(upgrade, file, chain, ([, call, rest, , member]) => [member!, `${renamed(call!, member!)}${rest}`]);
}

/** `const { background } = kernel.service("resources")`, where nothing else is taken from it. */
function rewriteDestructured(upgrade: Upgrade, file: string): void {
  const one = new RegExp(
    `\\{\\s*(${members})\\s*(?::\\s*(\\w+)\\s*)?,?\\s*\\}(\\s*=\\s*[\\w$.!?\\s]*?)(${SERVICE})`,
    "g",
  );
  replace(upgrade, file, one, ([, member, local, between, call]) => [
    member!,
    `${local ?? member}${between}${renamed(call!, member!)}`,
  ]);
}

const renamed = (call: string, member: string): string =>
  call.replace(/(["'])resources(["'])$/, (_, open, close) => `${open}${moved[member]!.slot}${close}`);

function replace(
  upgrade: Upgrade,
  file: string,
  pattern: RegExp,
  rewrite: (match: RegExpExecArray) => [member: string, written: string],
): void {
  const before = upgrade.changes.read(file)!;
  const code = withoutText(before);
  for (const match of [...before.matchAll(pattern)].toReversed()) {
    if (code[match.index]!.trim() === "") continue; // in a comment or a text
    const [member, written] = rewrite(match);
    upgrade.rewrites(moved[member]!.capability, file, match.index, text(member));
    const end = match.index + match[0].length;
    upgrade.changes.edit(file, (now) => now.slice(0, match.index) + written + now.slice(end));
  }
}

/** What is taken from the service by other forms. */
function leaveOthers(upgrade: Upgrade, file: string): void {
  const now = upgrade.changes.read(file)!;
  const code = withoutText(now);
  const all = (pattern: string) =>
    [...now.matchAll(new RegExp(pattern, "g"))].filter(({ index }) => isCode(now, code, index));
  const leave = (member: string, at: number) =>
    upgrade.leaves(
      moved[member]!.capability,
      file,
      at,
      `${text(member)}. Write kernel.service("${moved[member]!.slot}")`,
    );
  for (const { 1: member, index } of all(`${SERVICE}[^()]*\\)[!?]?\\s*\\??\\.\\s*(${members})\\b`))
    leave(member!, index);
  for (const { 1: taken, index } of all(`\\{([^{}=]*)\\}\\s*=\\s*[\\w$.!?\\s]*?${SERVICE}`))
    for (const [member] of taken!.matchAll(new RegExp(`\\b(?:${members})\\b`, "g"))) leave(member, index);
  const locals = all(`\\b(?:const|let)\\s+(\\w+)\\s*(?::[^=;]+)?=\\s*[\\w$.!?\\s]*?${SERVICE}[^()]*\\)[!?]?\\s*;`);
  const owners = [
    ...locals.map(({ 1: local }) => `(?<![\\w.])${local}`),
    "\\b(?:services|this|controller)[!?]?\\.resources",
  ];
  for (const owner of new Set(owners))
    for (const { 1: member, index } of all(`${owner}\\s*[!?]?\\.\\s*(${members})\\b`)) leave(member!, index);
}

/** Whether a position is in code: in no comment and no text, but for what a template literal evaluates. */
function isCode(whole: string, code: string, at: number): boolean {
  if (code[at]!.trim() !== "") return true;
  const before = whole.slice(whole.lastIndexOf("`", at) + 1, at);
  return whole.lastIndexOf("`", at) !== -1 && before.lastIndexOf("${") > before.lastIndexOf("}");
}
