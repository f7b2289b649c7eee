import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runCommand, typeCheck, wordsOf } from "./support.ts";

describe("AGENTS.md of a new application", (it) => {
  it("Its commands run one after the other, what they write compiles, and its links lead to documents", async () => {
    await ensureBuilt();
    const root = await newApp();
    const text = readFileSync(join(root, "AGENTS.md"), "utf8");
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path!);
    assert.ok(links.length >= 5);
    for (const path of links) assert.ok(existsSync(join(root, path)), path);
    const { out: generators } = await fwOk(root, "generate");
    const named = [...text.matchAll(/`npx fw g (fw:[\w:]+)/g)].map(([, name]) => name!);
    assert.ok(named.length > 8);
    for (const name of named) assert.match(generators, name);
    const lines = /```sh\n([\s\S]*?)```/.exec(text)![1]!.trim().split("\n");
    for (const line of lines) {
      const [command, program, ...words] = wordsOf(line);
      if (command === "npx" && program === "fw") await fwOk(root, ...words);
      else if (line === "npm run check") {
        const { code, out } = await typeCheck(root);
        assert.is(code, 0, out);
      } else {
        const { code, out, err } = await runCommand(command!, [program!, ...words], root);
        assert.is(code, 0, `${line}\n${out}${err}`);
      }
    }
    const listed = JSON.parse((await fwOk(root, "generate", "--json")).out) as {
      name: string;
      input: { required?: string[]; properties: Record<string, { type: string; description: string }> };
    }[];
    const scaffold = listed.find(({ name }) => name === "fw:res:scaffold")!;
    assert.equal(scaffold.input.required, ["args"]);
    assert.is(scaffold.input.properties.dest!.type, "string");
    assert.is(scaffold.input.properties["dry-run"]!.type, "boolean");
    const written = [
      "app/models/note.ts",
      "app/policies/note_policy.ts",
      "app/definitions/note_definition.ts",
      "packages/admin_portal",
    ];
    for (const path of written) assert.ok(existsSync(join(root, path)), path);
  });

  it("Every document is in the index of the package, under what it does", () => {
    const docs = join(import.meta.dirname, "../../docs");
    const index = readFileSync(join(docs, "llms.txt"), "utf8");
    const listed = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
    for (const path of listed) assert.ok(existsSync(join(docs, path)), path);
    assert.ok(listed.length > 100);
  });
});
