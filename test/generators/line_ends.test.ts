import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Changes } from "../../generators/support/changes.ts";
import { assert, describe } from "../support/index.ts";
import { temporaryFolder } from "./support.ts";

describe("Files whose lines end in CRLF", (it) => {
  it("They are read as others are, keep their line ends when edited, and are identical when generated again", () => {
    const root = temporaryFolder();
    const path = join(root, "routes.ts");
    writeFileSync(path, 'import a from "a";\r\n\r\ndraw((routes) => {\r\n  // fw:resources\r\n});\r\n');
    const changes = new Changes(root);
    assert.not.match(changes.read("routes.ts")!, "\r");
    changes.addImport("routes.ts", 'import b from "b";');
    changes.insertAbove("routes.ts", "fw:resources", "routes.b();");
    changes.commit(changes.plan());
    const text = readFileSync(path, "utf8");
    assert.is(
      text,
      'import a from "a";\r\nimport b from "b";\r\n\r\ndraw((routes) => {\r\n  routes.b();\r\n  // fw:resources\r\n});\r\n',
    );
    const again = new Changes(root);
    again.create("routes.ts", text.replaceAll("\r\n", "\n"));
    assert.is(again.plan()[0]!.outcome, "identical");
  });
});
