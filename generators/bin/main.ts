import { runCli } from "./cli.ts";

// Whoever reads the output may stop, as `head` does: that is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});
const code = await runCli(process.argv.slice(2));
process.exitCode = code;
// What a failed boot left open must not keep the process; the error is written out first.
if (code !== 0) process.stderr.write("", () => process.exit(code));
