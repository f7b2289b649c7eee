import { walk, failuresOf } from "./generators/pull_walk.ts";
const [app, url] = process.argv.slice(2) as [string, string];
const seen = await walk(app, url);
console.log(JSON.stringify(seen.labels)); console.log(failuresOf(seen).join("\n")); console.log(Object.keys(seen.resources).length);
