// One application in a process of its own, for the soak run: says when it listens, then what it holds.
import module from "node:module";

module.enableCompileCache?.(); // as `fw start` does
const { openApplication, readSettings } = await import("framewright");

const root = process.cwd();
const values = {
  NODE_ENV: "production",
  SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
  DATABASE_URL: process.env.DATABASE_URL,
  ALLOWED_HOSTS: "127.0.0.1",
  LOG_LEVEL: "warn",
};
const application = await openApplication({ root, settings: readSettings({ root, values }) });
const { port } = await application.listen(0, "127.0.0.1");
process.on("message", () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ held: heapUsed + external, peak: process.resourceUsage().maxRSS * 1024 });
});
process.once("disconnect", () => process.exit());
process.send({ port });
