import { spawnSync } from "node:child_process";
import { compilerFlags, hasCompilerFlags } from "../../generators/support/compiler.ts";
import { assert, describe } from "../support/index.ts";

describe("The flags of V8 that servers run with", (it) => {
  it("Are known to this Node, where they are set at all", () => {
    if (!hasCompilerFlags(process.versions.v8)) return assert.ok(Number.parseInt(process.version.slice(1), 10) < 24);
    const { status, stderr } = spawnSync(process.execPath, [...compilerFlags, "-e", ""], { encoding: "utf8" });
    assert.equal([status, stderr], [0, ""]);
  });

  it("Are those of Node 24 and later", () => {
    assert.not.ok(hasCompilerFlags("11.3.244.8-node.38"));
    assert.not.ok(hasCompilerFlags("12.4.254.21-node.33"));
    assert.ok(hasCompilerFlags("13.6.233.17-node.63"));
    assert.ok(hasCompilerFlags("14.6.202.34-node.40"));
  });
});
