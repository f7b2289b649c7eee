import { spawnSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { errors } from "../errors.ts";
import { applicationRoot } from "../support/load_app.ts";

/** Compiles the application to a temporary folder and then replaces dist/, so that a running process never sees half a build. */
export default function build(): void {
  const root = applicationRoot();
  const staging = join(root, "dist.tmp");
  rmSync(staging, { recursive: true, force: true });
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", "dist.tmp"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    rmSync(staging, { recursive: true, force: true });
    throw errors.FW_COMPILE_FAILED();
  }
  rmSync(join(root, "dist"), { recursive: true, force: true });
  renameSync(staging, join(root, "dist"));
  console.log("built dist/");
}
