import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Changes, diffOf } from "../../generators/support/changes.ts";
import { unifiedDiff } from "../../generators/support/diff.ts";
import { recover } from "../../generators/support/journal.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { runCommand, snapshot, temporaryFolder } from "./support.ts";

function folderWith(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
const old = { "a.ts": "one\ntwo\n", "deep/b.ts": "b\n" };

function draftOn(root: string): Changes {
  const changes = new Changes(root);
  changes.edit("a.ts", (text) => text.replace("two", "2"));
  changes.create("new/dir/c.ts", "c\n");
  changes.create("deep/b.ts", "bb\n");
  return changes;
}
const everything = (changes: Changes) => changes.plan(() => "overwrite");
const done = { "a.ts": "one\n2\n", "deep/b.ts": "bb\n", "new/dir/c.ts": "c\n" };

describe("A write transaction", (it) => {
  it("A transaction writes nothing until it is committed, and then writes everything", () => {
    const root = folderWith(old);
    const changes = draftOn(root);
    assert.equal(snapshot(root), old);
    assert.is(changes.read("a.ts"), "one\n2\n");
    changes.commit(everything(changes));
    assert.equal(snapshot(root), done);
    assert.is(existsSync(join(root, ".fw")), false);
  });

  it("A transaction keeps a file that differs, reports an equal one as identical, and writes neither", () => {
    const root = folderWith(old);
    const changes = new Changes(root);
    changes.create("a.ts", "one\ntwo\n");
    changes.create("deep/b.ts", "generated\n");
    const plan = changes.plan();
    assert.equal(
      plan.map(({ outcome }) => outcome),
      ["identical", "kept"],
    );
    changes.commit(plan);
    assert.equal(snapshot(root), old);
  });

  it("A file that changed since the plan stops the transaction with FW_FILE_CHANGED", async () => {
    const root = folderWith(old);
    const changes = draftOn(root);
    writeFileSync(join(root, "a.ts"), "mine\n");
    const error = await throwsCode("FW_FILE_CHANGED", () => changes.commit(everything(changes)));
    assert.match(error.message, "a.ts");
    assert.equal(snapshot(root), { ...old, "a.ts": "mine\n" });
  });

  it("A transaction that fails at one file restores all files", async () => {
    const root = folderWith(old);
    const changes = draftOn(root);
    const plan = everything(changes);
    const failing = () =>
      changes.commit(plan, (step, path) => {
        if (step === "renamed" && path === "new/dir/c.ts") throw new Error("the disk is full");
      });
    await assert.throws(failing, "the disk is full");
    assert.equal(snapshot(root), old);
    assert.is(existsSync(join(root, "new")), false);
    assert.is(existsSync(join(root, ".fw")), false);
  });

  it("A transaction writes nothing when a folder has the path of one of its files", async () => {
    const root = folderWith({});
    const changes = new Changes(root);
    changes.create("first.ts", "1\n");
    changes.create("late.ts", "2\n");
    const plan = changes.plan();
    mkdirSync(join(root, "late.ts"));
    await assert.throws(() => changes.commit(plan));
    assert.is(existsSync(join(root, "first.ts")), false);
  });

  it("A line is inserted above a marker once, with the indentation of the marker", () => {
    const root = folderWith({ "r.ts": "draw((r) => {\n  root();\n  // fw:here (do not remove)\n});\n" });
    for (let times = 0; times < 2; times++) {
      const changes = new Changes(root);
      changes.insertAbove("r.ts", "fw:here", "more();");
      changes.commit(changes.plan());
    }
    assert.is(
      readFileSync(join(root, "r.ts"), "utf8"),
      "draw((r) => {\n  root();\n  more();\n  // fw:here (do not remove)\n});\n",
    );
  });

  it("A missing marker is replaced by the end of the block, and FW_PLACE_MISSING names the line where there is none", async () => {
    const root = folderWith({ "r.ts": "draw((r) => {\n  if (a) {\n  }\n});\n", "odd.ts": "export {};\n" });
    const changes = new Changes(root);
    changes.insertAbove("r.ts", "fw:here", "more();");
    assert.is(changes.read("r.ts"), "draw((r) => {\n  if (a) {\n  }\n  more();\n});\n");
    const error = await throwsCode("FW_PLACE_MISSING", () => changes.insertAbove("odd.ts", "fw:here", "more();"));
    assert.match(error.message, "more();");
  });

  it("An import is added once below the last one, also when that spans lines", () => {
    const root = folderWith({
      "i.ts": 'import a from "a";\nimport {\n  b,\n} from "b";\n\ncode();\n',
      "none.ts": "code();\n",
    });
    const changes = new Changes(root);
    for (const path of ["i.ts", "i.ts", "none.ts"]) changes.addImport(path, 'import c from "c";');
    assert.is(changes.read("i.ts"), 'import a from "a";\nimport {\n  b,\n} from "b";\nimport c from "c";\n\ncode();\n');
    assert.is(changes.read("none.ts"), 'import c from "c";\ncode();\n');
  });
});

const changesUrl = pathToFileURL(join(import.meta.dirname, "../../generators/support/changes.ts")).href;
const script = `
import { Changes } from ${JSON.stringify(changesUrl)};
const [root, at] = process.argv.slice(-2);
const changes = new Changes(root);
changes.edit("a.ts", (text) => text.replace("two", "2"));
changes.create("new/dir/c.ts", "c\\n");
changes.create("deep/b.ts", "bb\\n");
changes.commit(changes.plan(() => "overwrite"), (step, path) => {
  if (at === (path ? step + " " + path : step)) process.kill(process.pid, "SIGKILL");
});
`;

describe("A generator that is killed", (it) => {
  const steps = ["staged", "journaled", "renamed a.ts", "renamed new/dir/c.ts", "renamed deep/b.ts"];
  for (const step of steps) {
    it(`A generator killed at "${step}" is rolled back by recovery`, async () => {
      const root = folderWith(old);
      const file = join(temporaryFolder(), "killed.ts");
      writeFileSync(file, script);
      await kill(file, root, step);
      recover(root);
      assert.equal(snapshot(root), old);
      assert.is(existsSync(join(root, ".fw")), false);
      assert.is(existsSync(join(root, "new")), false);
    });
  }

  it("A generator killed after its last step has written everything", async () => {
    const root = folderWith(old);
    const file = join(temporaryFolder(), "killed.ts");
    writeFileSync(file, script);
    await kill(file, root, "done");
    recover(root);
    assert.equal(snapshot(root), done);
    assert.is(existsSync(join(root, ".fw")), false);
  });

  it("FW_FILES_LOCKED refuses to roll back or commit while the process of a journal still runs", async () => {
    const root = folderWith(old);
    mkdirSync(join(root, ".fw"));
    const journal = { pid: process.ppid, directory: ".fw/transaction-1", entries: [], made: [] };
    writeFileSync(join(root, ".fw/journal.json"), JSON.stringify(journal));
    await throwsCode("FW_FILES_LOCKED", () => recover(root));
    const changes = draftOn(root);
    await throwsCode("FW_FILES_LOCKED", () => changes.commit(everything(changes)));
    assert.is(readFileSync(join(root, "a.ts"), "utf8"), old["a.ts"]);
    rmSync(join(root, ".fw"), { recursive: true });
  });
});

function kill(file: string, root: string, step: string): Promise<void> {
  const child = spawn(process.execPath, [
    "--conditions=framewright-source",
    "--import",
    import.meta.resolve("tsx"),
    file,
    root,
    step,
  ]);
  return new Promise((resolve, reject) =>
    child.once("exit", (_, signal) => (signal === "SIGKILL" ? resolve() : reject(new Error(`ended by ${signal}`)))),
  );
}

describe("The unified diff", (it) => {
  const cases: [before: string | undefined, after: string][] = [
    [undefined, "a\nb\n"],
    [undefined, "no end"],
    ["a\nb\nc\n", "a\nB\nc\n"],
    ["a\nb\nc", "a\nb\nc\n"],
    ["a\nb\nc\n", "a\nb\nc"],
    ["", "a\n"],
    ["1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\nx\n11\n12\n13\n"],
    ["a\na\na\nb\n", "a\nb\na\n"],
  ];
  for (const [index, [before, after]] of cases.entries()) {
    it(`The diff applied by git yields the new text (case ${index + 1})`, async () => {
      const root = folderWith(before === undefined ? {} : { "f.txt": before });
      writeFileSync(join(root, "d.patch"), unifiedDiff("f.txt", before, after));
      const { code, err } = await runCommand("git", ["apply", "d.patch"], root);
      assert.is(code, 0, err);
      assert.is(readFileSync(join(root, "f.txt"), "utf8"), after);
    });
  }

  it("The diff of a plan leaves out identical and kept files", () => {
    const changes = new Changes(folderWith(old));
    changes.create("a.ts", "one\ntwo\n");
    changes.create("deep/b.ts", "generated\n");
    assert.is(diffOf(changes.plan()), "");
  });
});
