import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { root } from "../support/checks/imports.ts";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, newApp, runFw } from "./support.ts";

const client = "plugins/assets/client";

describe("The style sheets of pages", (it, { before }) => {
  before(() => ensureBuilt());

  it("Are 30 kB compressed, with the icons and what the pages use of Tabler", () => {
    const files = [
      join(root, "dist", client, "tabler.css"),
      join(root, "dist", client, "framewright.css"),
      join(root, "dist", client, "tom-select.css"),
    ];
    const bytes = brotliCompressSync(Buffer.concat(files.map((file) => readFileSync(file)))).length;
    assert.ok(bytes <= 30_000, `${bytes} bytes`);
    const styles = readFileSync(files[0]!, "utf8");
    for (const name of ["btn-primary", "form-control", "is-invalid", "visually-hidden", "progress"])
      assert.match(styles, `.${name}`);
    assert.not.match(styles, ".card-tabs");
  });

  it("Are whole where the application's templates use more of Tabler, which fw doctor names", async () => {
    const app = await newApp();
    mkdirSync(join(app, "app/views/home"), { recursive: true });
    const page = (classes: string) =>
      writeFileSync(join(app, "app/views/home/index.liquid"), `<p class="${classes}"></p>\n`);
    page("btn fw-own");
    assert.not.match((await runFw(app, "doctor")).out, "of Tabler");
    page("btn card-tabs {{ tone }}");
    const { out } = await runFw(app, "doctor");
    assert.match(out, "app/views/home/index.liquid uses card-tabs of Tabler");
    assert.match(out, 'assets({ tabler: "whole" })');
    const config = join(app, "plugins.config.ts");
    writeFileSync(config, readFileSync(config, "utf8").replace("assets()", 'assets({ tabler: "whole" })'));
    assert.not.match((await runFw(app, "doctor")).out, "of Tabler");
  });
});
