import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { usage } from "../errors.ts";
import { defineGenerator, type Generator } from "../generator.ts";
import { EJECT } from "../support/drift/run.ts";
import { codeDirectory } from "../support/package.ts";

const FRAMEWORK = "framewright:";

/** Where a template is, so that it is found again on another machine and in a later release. */
export function sourceOf(root: string, file: string): string {
  const within = relative(codeDirectory, file);
  const path = within.startsWith("..") ? relative(root, file) : `${FRAMEWORK}${within}`;
  return path.split(sep).join("/");
}

const fileOf = (root: string, source: string): string =>
  source.startsWith(FRAMEWORK) ? join(codeDirectory, source.slice(FRAMEWORK.length)) : join(root, source);

/**
 * Copies the template of a source into the application, or into the portal of `--dest`. It is a generator, so that `fw diff` merges
 * into the copy what a later release changes in the template.
 */
export function ejection(root: string, source: string): Generator {
  const file = fileOf(root, source);
  return defineGenerator({
    name: EJECT,
    summary: "Copy a template",
    example: "fw eject resource/index",
    args: "<template>",
    options: {
      dest: { summary: "Only for this portal", value: "PORTAL" },
      from: { summary: "The source of the template", value: "SOURCE" },
    },
    directory: dirname(file),
    run({ app, args: [name], options: { dest }, changes }) {
      if (!existsSync(file)) throw usage.FW_EJECTED_GONE(name!, source);
      const folder = dest === undefined ? "" : `packages/${app.portal(dest)}/`;
      changes.create(`${folder}app/views/${name}.liquid`, readFileSync(file, "utf8"));
    },
  });
}
