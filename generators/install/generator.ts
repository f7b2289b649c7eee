import { suggest } from "framewright/kernel";
import { usage } from "../errors.ts";
import { defineGenerator } from "../generator.ts";
import { installationChain, installations } from "../of_plugins.ts";
import { install } from "./install.ts";

const names = Object.keys(installations).sort();
const width = Math.max(...names.map((name) => name.length));

export default defineGenerator({
  name: "fw:install",
  args: "<plugin>",
  summary: "Add a plugin: its line in plugins.config.ts, and a migration for those of its tables that are missing",
  example: "fw generate fw:install saved_views",
  help: ["Plugins:", ...names.map((name) => `  ${name.padEnd(width)}  ${installations[name]!.summary}`)].join("\n"),
  directory: import.meta.dirname,
  run(context) {
    const name = context.args[0]!;
    if (!Object.hasOwn(installations, name)) throw usage.FW_INSTALL_UNKNOWN(name, suggest(name, names));
    install(installationChain(name), context);
  },
});
