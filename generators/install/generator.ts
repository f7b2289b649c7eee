import { suggest } from "framewright/kernel";
import { usage } from "../errors.ts";
import { defineGenerator } from "../generator.ts";
import { installationChain, installations } from "../of_plugins.ts";
import { install } from "./install.ts";

const names = Object.keys(installations).sort();
const width = Math.max(...names.map((name) => name.length));

export default defineGenerator({
  name: "fw:install",
  args: "<plugin> [...plugin]",
  summary: "Add plugins: their lines in plugins.config.ts, and a migration for those of their tables that are missing",
  example: "fw generate fw:install saved_views",
  help: ["Plugins:", ...names.map((name) => `  ${name.padEnd(width)}  ${installations[name]!.summary}`)].join("\n"),
  directory: import.meta.dirname,
  run(context) {
    const unknown = context.args.find((name) => !Object.hasOwn(installations, name));
    if (unknown !== undefined) throw usage.FW_INSTALL_UNKNOWN(unknown, suggest(unknown, names));
    const requested = context.args.map((name) => installations[name]!);
    install([...new Set(context.args.flatMap(installationChain))], context, requested);
  },
});
