import { walk, failuresOf } from "./generators/pull_walk.ts";
const [app, url] = process.argv.slice(2) as [string, string];
const seen = await walk(app, url);
console.log(JSON.stringify(seen.labels, null, 1)); console.log(failuresOf(seen).join("\n")); console.log(JSON.stringify(seen.resources[Object.keys(seen.resources)[0]!]), Object.keys(seen.resources).length);
