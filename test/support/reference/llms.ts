import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./source.ts";

const docs = join(root, "docs");
/** A line of a list of links, or a row of a table whose first cell is one. */
const LINE = /^(?:- |\| )(\[[^\]]+\]\([^)]+\))(.*)$/gm;

/** docs/llms.txt: every document with a line each, for programs that read them. */
export function llmsText(): string {
  const titles = (folder: string) =>
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith(".md") && name !== "README.md")
      .map((name) => `- [${titleOf(join(docs, folder, name))}](${folder}/${name})`);
  const plugins = readFileSync(join(root, "plugins/README.md"), "utf8");
  const rows = [...plugins.matchAll(/^\| \[(\w+)\]\((\w+\/README\.md)\) \| [^|]*\| (.*?) \|$/gm)];
  return [
    "# Framewright",
    "",
    "> An application framework for Node in TypeScript: packages, portals, resources, policies, accounts, wizards and generators on a microkernel of typed hooks.",
    "",
    "An application is written by generators (`npx fw generate`), then edited: models, definitions (what is shown and entered), policies (who may do what). A resource is served by no address until a portal connects it. The reference is one file too: [dist/reference.md](../dist/reference.md).",
    ...section("Start", [
      `- [${titleOf(join(docs, "getting-started.md"))}](getting-started.md)`,
      "- [What is where](../ARCHITECTURE.md)",
    ]),
    ...section("Tutorial", titles("tutorial")),
    ...section("Tasks", tasks()),
    ...section("Concepts", titles("concepts")),
    ...section("Coming from other frameworks", titles("coming-from")),
    ...section("Reference", reference()),
    ...section(
      "Plugins",
      rows.map(([, name, path, text]) => `- [${name}](../plugins/${path}): ${text}`),
    ),
    "",
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): string[] => ["", `## ${title}`, "", ...lines];
const titleOf = (path: string): string => /^# (.*)$/m.exec(readFileSync(path, "utf8"))![1]!;

function tasks(): string[] {
  const text = readFileSync(join(docs, "how-to/README.md"), "utf8");
  return [...text.matchAll(LINE)].map(
    ([, link, rest]) => `- ${link!.replace("](../", "](").replace(/\]\((?!scaling|versions)/, "](how-to/")}${rest}`,
  );
}
function reference(): string[] {
  const text = readFileSync(join(docs, "reference/README.md"), "utf8");
  return [...text.matchAll(LINE)].map(
    ([, link, rest]) => `- ${link!.replace("](", "](reference/")}: ${rest!.replaceAll("|", "").trim()}`,
  );
}
