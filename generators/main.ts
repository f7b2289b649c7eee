import { runCli } from "./cli.ts";

// Whoever reads the output may stop, as `head` does: that is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});
process.exitCode = await runCli(process.argv.slice(2));
