import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packFolder } from "../packing.ts";
import { CREATE, filesOf, outputOf, perform, type Release } from "./release.ts";

export type Step = (release: Release) => void;
/** What is read of a bill of materials by CycloneDX. */
interface Materials {
  metadata: { component: { name: string } };
  components: unknown[];
}

/** What is done once the checks hold, in this order, by name. */
export const steps: Readonly<Record<string, Step>> = {
  check: (release) => perform(release, ["npm", "run", "-s", "check"]),
  build: (release) => perform(release, ["npm", "run", "-s", "build"]),
  pack,
  installed,
  materials,
  publish,
};

/** Packs both packages. Every file is one of the repository, or one that the build wrote. */
function pack(release: Release): void {
  const known = new Set(outputOf(release, "git", "ls-files").split("\n"));
  for (const [folder, archive] of packages(release)) {
    rmSync(archive, { force: true });
    const { files } = packFolder(join(release.root, folder), release.out);
    const foreign = files.filter((path) => !path.startsWith("dist/") && !known.has(join(folder, path)));
    if (foreign.length > 0)
      throw new Error(`the package has files that the repository lacks: ${foreign.join(", ")}. Delete or add them.`);
    console.log(`${archive}: ${files.length} files`);
  }
}

/** Installs these very tarballs, and runs what they have. Needs npm's registry for what they depend on. */
function installed(release: Release): void {
  const { framework, create } = needed(release, "framework", "create");
  const env = { FW_TEST_PACKED: framework, FW_TEST_PACKED_CREATE: create };
  perform(release, ["npm", "run", "-s", "test:only", "--", "generators/installed", "generators/create"], {
    ...env,
    FW_TEST_REGISTRY: "1",
    FW_TEST_REQUIRE: "registry",
  });
}

/** Writes the bill of materials: each package that an application gets with the framework, from the lock file alone. */
function materials(release: Release): void {
  const { materials: path } = filesOf(release);
  const args = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only", "--offline"];
  const bill = JSON.parse(outputOf(release, "npm", ...args)) as Materials;
  bill.metadata.component.name = "framewright"; // npm takes the name of the folder
  writeFileSync(path, `${JSON.stringify(bill, undefined, 2)}\n`);
  console.log(`${path}: ${bill.components.length} packages`);
}

/** Tags, publishes and pushes the tag; a dry run prints the commands, and npm tries its own. What a stopped release did is left out. */
function publish(release: Release): void {
  const { version, isDry } = release;
  const files = needed(release, "framework", "create");
  const name = `v${version}`;
  const isTagged = outputOf(release, "git", "tag", "--list", name) !== "";
  const commands = [
    ...(isTagged ? [] : [["git", "tag", "--annotate", name, "--message", `Framewright ${version}`]]),
    ...publication(release, "framewright", files.framework),
    ...publication(release, "create-framewright", files.create),
    ["git", "push", "origin", name],
  ];
  for (const command of commands) {
    console.log(command.join(" "));
    if (!isDry) perform(release, command);
    else if (command[0] === "npm") perform(release, [...command.filter((word) => word !== "--provenance"), ...DRY]);
  }
}
/** npm looks through a tarball as it would to publish it, without the registry. */
const DRY = ["--dry-run", "--offline", "--loglevel=error"];

/** A version with a hyphen, as 0.2.0-rc.1, is not what `npm install framewright` installs. */
function publication({ version, isDry }: Release, name: string, archive: string): string[][] {
  const known = isDry ? "" : spawnSync("npm", ["view", `${name}@${version}`, "version"], { encoding: "utf8" }).stdout;
  const tag = version.includes("-") ? ["--tag", "next"] : [];
  return known.trim() === version
    ? []
    : [["npm", "publish", archive, "--provenance", "--access", "public", "--ignore-scripts", ...tag]];
}

const packages = (release: Release): [folder: string, archive: string][] => {
  const { framework, create } = filesOf(release);
  return [
    [".", framework],
    [CREATE, create],
  ];
};

type Files = ReturnType<typeof filesOf>;
function needed(release: Release, ...names: (keyof Files)[]): Files {
  const files = filesOf(release);
  for (const name of names)
    if (!existsSync(files[name])) throw new Error(`${files[name]} is not there. Run the step pack before.`);
  return files;
}
