import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editedText } from "../support/fixtures.ts";
import { fwOk, newApp, temporaryFolder } from "./support.ts";

// The generators of a plugin of the application, whose templates the tests replace, as an upgrade of a package does.
export const clock = `
import { join } from "node:path";
import { choose, defineGenerator } from "framewright/generators";
import { definePlugin } from "framewright/kernel";
const directory = join(import.meta.dirname, "clock");
const face = defineGenerator({
  name: "clock:face",
  summary: "Make a face",
  example: "fw generate clock:face round --hands=3",
  args: "<shape>",
  options: { hands: { summary: "How many", value: "NUMBER" } },
  directory,
  run({ args: [shape], options: { hands = "2" }, template }) {
    template("lib/" + shape + ".ts", "face.ts", { shape, hands });
    template("lib/" + shape + ".md", "face.md", { shape });
  },
});
const chime = defineGenerator({
  name: "clock:chime",
  summary: "Add a chime to a face",
  example: "fw generate clock:chime round",
  args: "<shape>",
  directory,
  run({ args: [shape], changes }) {
    changes.insertAbove("lib/" + shape + ".ts", "clock:chimes", 'chimes.push("ding");');
  },
});
const strap = defineGenerator({
  name: "clock:strap",
  summary: "Make a strap",
  example: "fw generate clock:strap",
  directory,
  async run({ template }) {
    const values = ["leather", "steel"].map((value) => ({ value, label: value }));
    const material = await choose("Of which material?", values, ["--material=NAME"]);
    template("lib/strap.ts", "strap.ts", { material });
  },
});
export const clock = () =>
  definePlugin({
    name: "clock",
    generators: { "clock:face": face, "clock:chime": chime, "clock:strap": strap },
    apply() {},
  });
`;
const face = `export const shape = "{{ shape }}";
export const chimes: string[] = [];
// clock:chimes

export const hands = {{ hands }};
export const ticks = 12;
export const glass = "plain";
`;
export const newerFace = editedText(face, ["ticks = 12", "ticks = 60"]);

/** As `fw diff --json` prints it. */
export interface Row {
  file: string;
  state: string;
  command: string;
  problem: string | null;
}

/** An application with a face that `clock:face` generated; `start` makes a copy, which all others work on. */
export class ClockApp {
  #made = "";
  root = "";

  async make(): Promise<void> {
    this.root = this.#made = await newApp();
    mkdirSync(this.at("app/plugins/clock/templates"), { recursive: true });
    this.write("app/plugins/clock.ts", clock);
    this.upgrade(face);
    this.write("app/plugins/clock/templates/face.md.liquid", "A {{ shape }} face.\n");
    this.write("app/plugins/clock/templates/strap.ts.liquid", 'export const strap = "{{ material }}";\n');
    this.write(
      "plugins.config.ts",
      'import { definePlugins } from "framewright/kernel";\nimport { clock } from "./app/plugins/clock.ts";\nexport default definePlugins([clock()]);\n',
    );
    await fwOk(this.root, "g", "clock:face", "round", "--hands=3");
  }
  start(): void {
    this.root = join(temporaryFolder(), "shop");
    cpSync(this.#made, this.root, { recursive: true, verbatimSymlinks: true });
  }
  at(path: string): string {
    return join(this.root, path);
  }
  read(path: string): string {
    return readFileSync(this.at(path), "utf8");
  }
  write(path: string, text: string): void {
    writeFileSync(this.at(path), text);
  }
  edit(path: string, from: string, to: string): void {
    this.write(path, editedText(this.read(path), [from, to]));
  }
  /** As an upgrade of the generator's package does. */
  upgrade(text: string = newerFace): void {
    this.write("app/plugins/clock/templates/face.ts.liquid", text);
  }
  async rows(...args: string[]): Promise<Row[]> {
    return JSON.parse((await fwOk(this.root, "diff", "--json", ...args)).out) as Row[];
  }
  async stateOf(path: string): Promise<string | undefined> {
    return (await this.rows()).find(({ file }) => file === path)?.state;
  }
}
