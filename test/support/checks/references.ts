// Nothing that ships points to a document that its reader does not have: a row of a specification, an issue, a plan.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./imports.ts";

const folders = ["kernel", "host", "plugins", "generators", "test", "docs"];
const pointing =
  /\bS\d+\.\d+(?:-[A-Z]\d+)?\b|\bissue #?\d+\b|\bin the specification\b|\bspec\/README|\bas the (?:issue|design|plan) says\b/i;

export function referenceToPlansProblems(): string[] {
  const problems: string[] = [];
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.(ts|js|md|liquid)$/.test(name) || /fixtures|checks\/references/.test(name)) continue;
      const lines = readFileSync(join(root, folder, name), "utf8").split("\n");
      for (const [index, line] of lines.entries())
        if (pointing.test(line))
          problems.push(
            `${folder}/${name}:${index + 1} points to a document that no reader has: ${line.trim().slice(0, 80)}`,
          );
    }
  }
  return problems;
}
