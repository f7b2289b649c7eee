import { isOverview, keptOverview } from "./overview.ts";

// The reader of a pipe may close it early, as `head` does: that is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});
const argv = process.argv.slice(2);
const overview = isOverview(argv[0]) ? keptOverview() : undefined;
if (overview !== undefined) console.log(overview);
const code = overview === undefined ? await (await import("./cli.ts")).runCli(argv) : 0;
process.exitCode = code;
// Handles that a failed boot left open must not keep the process alive; flush what was printed first.
if (code !== 0) process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
