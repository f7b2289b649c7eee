// `npm run cluster`: an application on three processes behind nginx, with a Galera cluster, Redis and an S3 server, under a
// load while parts of it are killed; then what was answered is compared with what is there. See test/README.md.
import { missing } from "./requirements.ts";

const absent = await missing();
for (const line of absent) console.error(line);
if (absent.length > 0) process.exit(1);
const { runCluster } = await import("./story.ts"); // it loads packages that may be missing
process.exitCode = (await runCluster()) > 0 ? 1 : 0;
