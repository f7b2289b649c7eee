import { spawnSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { errors } from "../errors.ts";
import { compressAssets, keepCompressed } from "../support/compress_assets.ts";
import { applicationRoot } from "../support/load_app.ts";

/** Compiles the application to a temporary folder and then replaces dist/, so that a running process never sees half a build. */
export default async function build(): Promise<void> {
  const root = applicationRoot();
  const compiler = compilerOf(root);
  const staging = join(root, "dist.tmp");
  rmSync(staging, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", "dist.tmp"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    rmSync(staging, { recursive: true, force: true });
    throw errors.FW_COMPILE_FAILED();
  }
  const built = join(root, "dist");
  await keepCompressed(built, staging);
  rmSync(built, { recursive: true, force: true });
  renameSync(staging, built);
  console.log("built dist/");
  await compressAssets(root, built);
}

/** The application's own compiler. @throws FW_COMPILER_MISSING */
function compilerOf(root: string): string {
  try {
    const found = createRequire(join(root, "package.json")).resolve("typescript/package.json");
    return join(dirname(found), "bin", "tsc");
  } catch {
    throw errors.FW_COMPILER_MISSING();
  }
}
